// A .walk file written again, record by record: of an undamaged file the same bytes, of a damaged one its
// good part; with other names for native code, or without names of places.
#pragma once

#include <set>
#include <string>

#include "base/ids.h"
#include "base/result.h"

namespace walkabout::cli {

struct RecordingEdit {
  std::set<base::CodeId> without_names_of;      // modules whose NativeSymbols are left out
  std::set<base::AssemblyId> without_lines_of;  // assemblies whose SourceLines are left out
  std::string add;                              // records behind all others, encoded
  bool redact = false;                          // names of places are left out (recording/redact.h)
};

// The damage that was left behind, empty if there was none. `to` appears whole or not at all, and may be
// `from`; a file that it replaces gives it its mode and owner.
base::Result<std::string> copy_recording(const std::string& from, const std::string& to,
                                         const RecordingEdit& edit = {});

}  // namespace walkabout::cli
