// Who but its owner could replace a library that a program is made to load: by its access list, and by those
// of its folder and of the folders above, any of which could be renamed and another put in its place. Any
// thread. Source: GetNamedSecurityInfo; access_rules.h judges.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::cli {

// library: an absolute path. Ok when only this user, administrators and the system may change or rename the
// library and the folders it lies in, and own them: an owner may always change the list. Otherwise an error
// that says which of them is at fault and names who else may. Where a folder leads elsewhere (a junction),
// both ways to it are looked at.
base::Status check_library(const std::wstring& library);

}  // namespace walkabout::cli
