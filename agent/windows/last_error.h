// Keeps the calling thread's last error (GetLastError) as it was over a block: what the program's code is
// about to read of a call of its own. Any thread.
#pragma once

#include "base/windows/win32.h"

namespace walkabout::agent {

class LastErrorKept {
 public:
  LastErrorKept() : error_(::GetLastError()) {}
  ~LastErrorKept() { ::SetLastError(error_); }
  LastErrorKept(const LastErrorKept&) = delete;
  LastErrorKept& operator=(const LastErrorKept&) = delete;

 private:
  const DWORD error_;
};

}  // namespace walkabout::agent
