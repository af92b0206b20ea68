#include "symbols/elf/file_root.h"

#include <fcntl.h>

#include <cerrno>

#include "base/linux/process_root.h"
#include "base/system_error.h"

namespace walkabout::symbols {
namespace {

constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;

}  // namespace

FileRoot FileRoot::of_process(pid_t pid) {
  const std::string proc = "/proc/" + std::to_string(pid);
  FileRoot found;
  found.root_ = base::Fd(::open((proc + "/root").c_str(), kFolder));
  found.namespace_ = base::Fd(::open((proc + "/ns/mnt").c_str(), O_RDONLY | O_CLOEXEC));
  const bool own = found.namespace_.valid() && base::has_own_files(found.root_, pid);
  if (own || !found.root_.valid()) return {};
  return found;
}

base::Result<FileRoot> FileRoot::folder(const std::string& path) {
  FileRoot found;
  found.root_ = base::Fd(::open(path.c_str(), kFolder));
  if (!found.root_.valid()) return base::system_error(path);
  return found;
}

base::Fd FileRoot::open(const std::string& path, int flags) const {
  if (is_own()) return base::Fd(::open(path.c_str(), flags));
  base::Fd fd = base::open_in_root(root_, path, flags);
  // EPERM: a seccomp filter that is older than the call.
  if (fd.valid() || (errno != ENOSYS && errno != EPERM)) return fd;
  return base::open_below(root_, path, flags);
}

}  // namespace walkabout::symbols
