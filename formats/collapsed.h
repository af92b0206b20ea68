// Folded stacks: "Main;Sort;qsort 1234", root first, one line per distinct stack, weight in the
// unit of the profile's view, but whole microseconds where that is time (stacks below half a microsecond are
// left out). What flamegraph.pl, speedscope, inferno and others read.
// With lines a frame is "Main (Program.cs:22)", or "(Program.cs:22 or 23)" where that is all one knows.
// ';' and line ends in names become ':' and ' '. Any thread, no state.
#pragma once

#include <ostream>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

struct CollapsedOptions {
  bool threads = false;  // the thread's name is each stack's first frame
};
base::Status write_collapsed_with(const profile::Profile& profile, CollapsedOptions options,
                                  std::ostream& out);
base::Status write_collapsed(const profile::Profile& profile, std::ostream& out);

}  // namespace walkabout::formats
