#include "symbols/file_root.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

namespace walkabout::symbols {
namespace {

constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;

bool same_file(int fd, const char* own) {
  struct stat theirs {};
  struct stat ours {};
  return ::fstat(fd, &theirs) == 0 && ::stat(own, &ours) == 0 && theirs.st_dev == ours.st_dev &&
         theirs.st_ino == ours.st_ino;
}

int open_inside(int root, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags);
  how.resolve = RESOLVE_IN_ROOT;
  const long fd = ::syscall(SYS_openat2, root, path, &how, sizeof how);
  // EPERM: a seccomp filter that is older than the call.
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(fd);
  while (*path == '/') ++path;
  return ::openat(root, path, flags);
}

}  // namespace

FileRoot FileRoot::of_process(pid_t pid) {
  const std::string proc = "/proc/" + std::to_string(pid);
  FileRoot found;
  found.root_ = base::Fd(::open((proc + "/root").c_str(), kFolder));
  found.namespace_ = base::Fd(::open((proc + "/ns/mnt").c_str(), O_RDONLY | O_CLOEXEC));
  const bool own = found.namespace_.valid() && same_file(found.namespace_.get(), "/proc/self/ns/mnt") &&
                   same_file(found.root_.get(), "/");
  if (own || !found.root_.valid()) return {};
  return found;
}

base::Result<FileRoot> FileRoot::folder(const std::string& path) {
  FileRoot found;
  found.root_ = base::Fd(::open(path.c_str(), kFolder));
  if (!found.root_.valid()) return base::Status::error(path + ": " + std::strerror(errno));
  return found;
}

base::Fd FileRoot::open(const std::string& path, int flags) const {
  return base::Fd(is_own() ? ::open(path.c_str(), flags) : open_inside(root_.get(), path.c_str(), flags));
}

}  // namespace walkabout::symbols
