#include "agent/linux/file_identity.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace walkabout::agent {

// By statx: fstat(2) has another name before glibc 2.33.
FileIdentity file_identity(int fd) {
  struct statx s {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_INO, &s) != 0) return {};
  return {s.stx_dev_major, s.stx_dev_minor, s.stx_ino};
}

}  // namespace walkabout::agent
