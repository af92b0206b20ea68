// Whose code was running while managed code ran: the program's, or .NET's. By the origin of the frame that
// ran (profile/names/origin.h), in the time of activity "managed". Any thread, no state.
#pragma once

#include <vector>

#include "profile/model/profile.h"
#include "profile/query/rows.h"

namespace walkabout::profile {

struct ManagedCode {
  Amount mine;       // the program's
  Amount framework;  // .NET's libraries, async machinery, methods made at run time
};
// rows: of activity_rows(profile, view). REQUIRES: frames have their origins; it is the profile before runs
// of frames were folded.
ManagedCode managed_code(const Profile& profile, View view, const std::vector<Row>& rows);

}  // namespace walkabout::profile
