// A Profile straight from a .walk file, or from all that an index names (recording/index.h). Damage is no
// error: it is in Profile::damage. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "profile/build/builder.h"
#include "profile/model/profile.h"

namespace walkabout::profile {

// process: the one with that PID alone; 0: all of them, each under a frame of its own where there are
// several. An error names those there are.
base::Result<Profile> load(const std::string& path, BuildOptions options, uint32_t process = 0);

}  // namespace walkabout::profile
