#include "base/linux/process_root.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace walkabout::base {
namespace {

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

bool has_own_files(const Fd& root, pid_t pid) {
  const std::string their_namespace = "/proc/" + std::to_string(pid) + "/ns/mnt";
  struct stat theirs {};
  struct stat ours {};
  if (::fstat(root.get(), &theirs) != 0 || ::stat("/", &ours) != 0 || !same_file(theirs, ours)) return false;
  return ::stat(their_namespace.c_str(), &theirs) == 0 && ::stat("/proc/self/ns/mnt", &ours) == 0 &&
         same_file(theirs, ours);
}

Fd open_in_root(const Fd& root, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_IN_ROOT;
  return Fd(static_cast<int>(::syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof how)));
}

Fd open_below(const Fd& root, const std::string& path, int flags) {
  const size_t relative = path.find_first_not_of('/');
  const std::string below = relative == std::string::npos ? "." : path.substr(relative);
  return Fd(::openat(root.get(), below.c_str(), flags | O_CLOEXEC));
}

}  // namespace walkabout::base
