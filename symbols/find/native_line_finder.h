// The source lines of a native library, from wherever its DWARF is to be had: this machine's own file and
// debug packages, then the finder's sources in their order. One thread.
#pragma once

#include <optional>
#include <string>

#include "symbols/find/finder.h"
#include "symbols/native_lines.h"

namespace walkabout::symbols {

struct FoundNativeLines {
  std::optional<wire::NativeLines> lines;
  std::string from;   // name of the source, or "this machine"; empty without lines
  std::string place;  // the file, for people
};

// What went wrong on the way is reported to the finder. budget, left_out: of all libraries.
FoundNativeLines find_native_lines(const ModuleHits& hits, Finder& finder, NativeLineBudget& budget,
                                   NativeLinesLeftOut& left_out);

}  // namespace walkabout::symbols
