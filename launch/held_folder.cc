#include "launch/held_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <memory>
#include <utility>
#include <vector>

namespace walkabout::cli {
namespace {

base::Fd open_folder(const base::Fd& parent, const std::string& name) {
  return base::Fd(::openat(parent.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_still(const base::Fd& parent, const std::string& name, const base::Fd& folder) {
  struct stat there {
  }, held{};
  if (::fstatat(parent.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0 ||
      ::fstat(folder.get(), &held) != 0)
    return false;
  errno = ENOENT;  // in case
  return there.st_dev == held.st_dev && there.st_ino == held.st_ino;
}

std::vector<std::string> names_in(const base::Fd& parent, std::string_view prefix) {
  std::vector<std::string> names;
  const base::Fd listed(::openat(parent.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::string path = "/proc/self/fd/" + std::to_string(listed.get());
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path.c_str()), ::closedir);
  while (const dirent* entry = dir != nullptr ? ::readdir(dir.get()) : nullptr) {
    if (std::string_view(entry->d_name).substr(0, prefix.size()) == prefix) names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

base::Fd hold_folder(const base::Fd& parent, const std::string& name) {
  base::Fd folder = open_folder(parent, name);
  if (!folder.valid()) return folder;
  while (::flock(folder.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return folder;
  }
  return is_still(parent, name, folder) ? std::move(folder) : base::Fd();
}

void remove_stale_folders(const base::Fd& parent, std::string_view prefix, uid_t owner) {
  for (const std::string& name : names_in(parent, prefix)) {
    const base::Fd folder = open_folder(parent, name);
    struct stat s {};
    if (!folder.valid() || ::fstat(folder.get(), &s) != 0 || s.st_uid != owner ||
        ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0)
      continue;
    const bool has_socket =
        ::fstatat(folder.get(), kCollectorSocket, &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(s.st_mode);
    if (has_socket) ::unlinkat(folder.get(), kCollectorSocket, 0);
    ::unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR);
  }
}

}  // namespace walkabout::cli
