// Each value of the traced calls as a source of its own, for formats that show one value of each. Any thread,
// no state.
#pragma once

#include "profile/model/profile.h"

namespace walkabout::formats {

// Those that are 0 throughout have none. A profile without traced calls, or of one value, is as it was.
profile::Profile by_traced_value(profile::Profile profile);

}  // namespace walkabout::formats
