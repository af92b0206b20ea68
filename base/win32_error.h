// What a call of the Windows API that has just failed says, as a Status. Allocates; any thread. After
// base/win32.h.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::base {

// "WHAT (error 5)", by GetLastError(), whose numbers are those of winerror.h.
inline Status win32_error(std::string what) {
  const DWORD error = ::GetLastError();  // what is allocated below may change it
  return Status::error(std::move(what) + " (error " + std::to_string(error) + ")");
}

}  // namespace walkabout::base
