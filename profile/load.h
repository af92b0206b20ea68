// A Profile straight from a .walk file. Damage is no error: it is in Profile::damage. Any thread, no state.
#pragma once

#include <string>

#include "base/result.h"
#include "profile/builder.h"
#include "profile/profile.h"

namespace walkabout::profile {

base::Result<Profile> load(const std::string& path, BuildOptions options);

}  // namespace walkabout::profile
