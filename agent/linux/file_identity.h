// Which file a descriptor leads to: a program may close a descriptor and have something of its own under that
// number. Any thread; no allocation.
#pragma once

#include <cstdint>

namespace walkabout::agent {

struct FileIdentity {
  uint32_t major = 0, minor = 0;
  uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

// All zero where there is none.
FileIdentity file_identity(int fd);

}  // namespace walkabout::agent
