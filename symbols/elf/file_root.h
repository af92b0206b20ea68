// The file system a path belongs to: this process's own, or the one a process in a container or chroot sees.
// Of another process it holds what its paths lead to, so files can be read after the process has ended.
//
// Move only; immutable, any thread. Symbolic links are followed inside the root, as the process would
// (openat2, RESOLVE_IN_ROOT); on kernels before 5.6 absolute ones lead to our own files.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::symbols {

class FileRoot {
 public:
  // This process's own.
  FileRoot() = default;
  // What `pid` sees as "/". The own one where that is the same, or where we may not look (proc(5), ptrace
  // access mode).
  static FileRoot of_process(pid_t pid);
  // A folder as "/".
  static base::Result<FileRoot> folder(const std::string& path);

  bool is_own() const { return !root_.valid(); }
  // path: absolute, as the process names it. Not valid, with errno, when it cannot be opened.
  base::Fd open(const std::string& path, int flags) const;

 private:
  base::Fd root_;       // not valid: our own
  base::Fd namespace_;  // the mounts below the root go with their last process, unless someone holds this
};

}  // namespace walkabout::symbols
