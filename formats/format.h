// The kinds of file walkabout writes, by suffix. Any thread, no state.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/output_file.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

struct Format {
  const char* suffix;       // ".pb.gz"
  const char* description;  // "pprof profile (go tool pprof)"
  bool lines;               // it can say source lines
  bool one_event;           // of a profile without a view it shows view_of() (profile/query/view.h)
  // Null for .walk: a recording is made from records, not from a profile.
  base::Status (*write)(const profile::Profile& profile, std::ostream& out);
};

const std::vector<Format>& all_formats();

// Null if no suffix fits.
const Format* format_of(const std::string& path);
bool is_recording(const std::string& path);

// Ok if walkabout can write such a file; else the message lists the suffixes it can.
base::Status check_suffix(const std::string& path);

// Writes the kind of file that the suffix says, whole or not at all.
// REQUIRES: a format with a writer (not .walk).
base::Status write_file(const profile::Profile& profile, const std::string& path, const GoOn& go_on = {});

}  // namespace walkabout::formats
