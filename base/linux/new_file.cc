#include "base/linux/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system_error.h"

namespace walkabout::base {
namespace {

// A run that was killed may have left a name behind, and its number comes again.
constexpr int kTries = 100;

Status failed(const std::string& path) { return system_error("cannot write " + path); }

// Of the file that goes: nobody else may read the new one before.
bool take_over(const Fd& file, const struct stat& replaced) {
  mode_t mode = replaced.st_mode & 0777;
  if (::fchown(file.get(), replaced.st_uid, replaced.st_gid) != 0 &&
      ::fchown(file.get(), static_cast<uid_t>(-1), replaced.st_gid) != 0) {
    mode &= ~static_cast<mode_t>(S_IRWXG);  // our group is not the one that was meant
  }
  return ::fchmod(file.get(), mode) == 0;
}

}  // namespace

Result<NewFile> create_beside(const std::string& replaced) {
  NewFile file;
  for (int i = 0; i < kTries && !file.fd.valid(); ++i) {
    file.path =
        replaced + "." + std::to_string(::getpid()) + (i == 0 ? "" : "-" + std::to_string(i)) + ".tmp";
    file.fd = Fd(::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.fd.valid() && errno != EEXIST) break;
  }
  if (!file.fd.valid()) return failed(replaced);
  struct stat before {};
  if (::lstat(replaced.c_str(), &before) != 0 || !S_ISREG(before.st_mode) || take_over(file.fd, before))
    return file;
  const Status status = failed(replaced);
  ::unlink(file.path.c_str());
  return status;
}

}  // namespace walkabout::base
