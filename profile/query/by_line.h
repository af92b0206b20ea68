// A profile by source lines: what instantiations and versions of a method have of one place is one frame. Any
// thread, no state.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/totals.h"

namespace walkabout::profile {

// REQUIRES: it was built with BuildOptions::lines. Frames of one place are one, which has the name of the
// first of them.
Profile by_line(Profile profile);

// Of code that was running, how much has its line.
struct LineCover {
  Amount managed;      // all managed code
  Amount sure;         // of it what has one line
  Amount unsure;       // has some that it may be
  Amount native;       // all native code, the runtime's too
  Amount native_sure;  // of it what has its line
};
// Of the profile before runs of frames were folded. shown: the same folded, or it itself; totals: of shown.
LineCover line_cover(const Profile& whole, const Profile& shown, const Totals& totals);

}  // namespace walkabout::profile
