// Which file a descriptor stands for: where the program may have closed ours and have another under its
// number, this is looked at before each use. Not for perf events and other descriptors of an anonymous file,
// which all look alike.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>

namespace walkabout::agent {

struct FileIdentity {
  uint32_t major = 0, minor = 0;
  uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;

  // By statx: fstat(2) has another name before glibc 2.33. All zero: nothing is open there.
  static FileIdentity of(int fd) {
    struct statx s {};
    if (::statx(fd, "", AT_EMPTY_PATH, STATX_INO, &s) != 0) return {};
    return {s.stx_dev_major, s.stx_dev_minor, s.stx_ino};
  }
};

}  // namespace walkabout::agent
