// What a system call that has just failed says, as a Status. Allocates; any thread.
#pragma once

#include <errno.h>
#include <string.h>

#include <string>

#include "base/result.h"

namespace walkabout::base {

// "WHAT: No such file or directory", by errno.
inline Status system_error(const std::string& what) {
  const int error = errno;  // the concatenation may change it
  return Status::error(what + ": " + strerror(error));
}

}  // namespace walkabout::base
