#include "collect/rotated_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/clock.h"
#include "base/duration.h"
#include "base/system_error.h"
#include "wire/limits.h"

namespace walkabout::cli {
namespace {

constexpr unsigned kMostCopies = 1000;  // of one name

base::Status failed(const std::string& path) { return base::system_error("cannot write " + path); }

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// With what is missing above it.
void make_folder(const std::string& path) {
  for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    ::mkdir(path.substr(0, end).c_str(), 0700);
  ::mkdir(path.c_str(), 0700);
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

// Where the file system does not know the flag, a file that appeared in this moment would be replaced.
bool rename_without_replacing(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  return errno == EINVAL && !exists(to) && ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

base::Result<Rotation> make_rotation(const std::string& output, const std::string& every,
                                     const std::string& keep) {
  base::Result<FilePattern> pattern = FilePattern::parse(output);
  if (!pattern.ok()) return pattern.status();
  Rotation rotation{std::move(*pattern), std::nullopt};
  if (!every.empty()) {
    const std::optional<uint64_t> ns = base::parse_duration(every);
    if (!ns || *ns < wire::kMinEveryNs)
      return base::Status::error("how often a new file begins is a time of at least 1s, like 60s or 1h");
    if (!rotation.pattern.distinguishes_files()) {
      return base::Status::error(
          "the output has neither %t nor %n in its name: all files would be called the same");
    }
  }
  if (!keep.empty()) {
    const base::Result<Retention> limits = Retention::parse(keep);
    if (!limits.ok()) return base::Status::error("how many files stay: " + limits.message());
    rotation.keep = *limits;
  }
  return rotation;
}

base::Status check_folder(const FilePattern& pattern) {
  make_folder(pattern.folder());
  return ::access(pattern.folder().c_str(), W_OK | X_OK) == 0 ? base::Status()
                                                              : failed("into " + pattern.folder());
}

RotatedFiles::RotatedFiles(Rotation rotation, int pid)
    : rotation_(std::move(rotation)), host_(host_name()), pid_(pid) {}

// Locked as long as it is open here: who removes old files sees that it is in use.
base::Result<base::Fd> RotatedFiles::create(const std::string& name) {
  for (unsigned copy = 1; copy <= kMostCopies; ++copy) {
    name_ = copy == 1 ? name : FilePattern::other_name(name, copy);
    const std::string path = rotation_.pattern.folder() + "/" + name_;
    if (exists(path)) continue;
    part_ = unfinished_name(path);
    base::Fd file(::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.valid() && errno == EEXIST) continue;
    if (!file.valid()) return failed(path);
    ::flock(file.get(), LOCK_EX);
    return file;
  }
  return base::Status::error("cannot write " + rotation_.pattern.folder() + "/" + name +
                             ": there are too many files of that name");
}

base::Result<recording::Writer> RotatedFiles::begin(uint64_t wall_ns) {
  make_folder(rotation_.pattern.folder());
  base::Result<base::Fd> file = create(rotation_.pattern.name({host_, pid_, wall_ns, ++number_}));
  base::Result<recording::Writer> writer =
      file.ok() ? recording::Writer::create_in(std::move(*file), part_) : file.status();
  if (!writer.ok() && file.ok()) ::unlink(part_.c_str());
  if (!writer.ok()) part_.clear();
  return writer;
}

base::Status RotatedFiles::end() {
  if (part_.empty()) return {};
  const std::string part = std::exchange(part_, {});
  const std::string name = name_;
  for (unsigned copy = 2;; ++copy) {
    last_ = rotation_.pattern.folder() + "/" + name_;
    if (rename_without_replacing(part, last_)) break;
    if (errno != EEXIST || copy > kMostCopies) return failed(last_ + " (it is called " + part + ")");
    name_ = FilePattern::other_name(name, copy);
  }
  ++count_;
  if (rotation_.keep) remove_old_files(rotation_.pattern, host_, *rotation_.keep, base::wall_ns());
  return {};
}

void RotatedFiles::discard() {
  if (!part_.empty()) ::unlink(part_.c_str());
  part_.clear();
}

}  // namespace walkabout::cli
