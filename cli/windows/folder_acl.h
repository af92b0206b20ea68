// Who but its owner may put a file into a folder: a library that a program is made to load must not be
// anyone's to replace. Any thread. Source: GetNamedSecurityInfo, access rights of directories.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::cli {

// Ok when only this user, administrators and the system may change what is in the folder (or the folder's
// rights). Otherwise an error that names who else may.
base::Status check_folder(const std::wstring& folder);

}  // namespace walkabout::cli
