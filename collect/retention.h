// How many files of a pattern stay: "24", "500MB", "7d", or several with commas between them, all of which
// hold. Oldest files go first, by when they were last written. Counted are the files of the pattern in its
// folder, of this run and of earlier ones on this machine: so a service that restarts keeps its bound. Never
// removed are the newest file, files that a collector has open, what the pattern cannot have made, other
// users' files, links, and files that are no recording.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "collect/file_pattern.h"

namespace walkabout::cli {

struct Retention {
  std::optional<uint64_t> files;
  std::optional<uint64_t> bytes;
  std::optional<uint64_t> age_ns;

  static base::Result<Retention> parse(const std::string& text);
};

// The name of a file that is being written.
std::string unfinished_name(const std::string& name);

// Removes what is over. now_ns: CLOCK_REALTIME. Returns how many files went; what could not be looked at or
// removed stays.
unsigned remove_old_files(const FilePattern& pattern, const std::string& host, const Retention& keep,
                          uint64_t now_ns);

}  // namespace walkabout::cli
