// All of some bytes into a descriptor that blocks. Any thread.
#pragma once

#include <errno.h>
#include <unistd.h>

#include <string_view>

namespace walkabout::base {

// False: a write failed; errno says why.
inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace walkabout::base
