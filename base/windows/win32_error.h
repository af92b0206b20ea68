// What a call of the Windows API that has just failed says, as a Status. Allocates; any thread. After
// base/windows/win32.h.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace walkabout::base {

// "WHAT (error 5)", by GetLastError(), whose numbers are those of winerror.h. A text that the caller makes up
// is made before it is asked: what failed first is lost only if that fails too.
inline Status win32_error(std::string_view what) {
  const DWORD error = ::GetLastError();  // what is allocated below may change it
  return Status::error(std::string(what) + " (error " + std::to_string(error) + ")");
}

}  // namespace walkabout::base
