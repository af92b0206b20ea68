#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/linux/new_file.h"
#include "formats/output_file.h"

namespace walkabout::formats {
namespace {

constexpr int kPollEveryMs = 100;

bool is_pipe(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

bool is_other_than_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

// A link or pipe that another user has put where we want to write (in /tmp, say) leads to that user.
bool is_planted(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || info.st_uid == 0 || info.st_uid == ::geteuid()) return false;
  return S_ISLNK(info.st_mode) || S_ISFIFO(info.st_mode);
}

}  // namespace

OutputFile::OutputFile(std::string path, GoOn go_on) : path_(std::move(path)), go_on_(std::move(go_on)) {}

OutputFile::~OutputFile() {
  if (!written_path_.empty()) ::unlink(written_path_.c_str());
}

base::Status OutputFile::failed(int error) const {
  return base::Status::error("cannot write " + path_ + ": " + std::strerror(error));
}

// Neither open(2) nor write(2) waits: go_on_ is asked in between.
base::Status OutputFile::open_pipe() {
  for (;;) {
    fd_ = base::Fd(::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (fd_.valid()) break;
    if (errno != ENXIO) return failed(errno);
    if (!go_on_(path_, Reader::kNone)) return failed(EINTR);
    ::poll(nullptr, 0, kPollEveryMs);
  }
  const auto again = [this] {
    pollfd room{fd_.get(), POLLOUT, 0};
    return ::poll(&room, 1, kPollEveryMs) > 0 || go_on_(path_, Reader::kSlow);
  };
  buffer_ = std::make_unique<FdBuffer>(fd_.get(), again);
  stream_.rdbuf(buffer_.get());
  return {};
}

base::Status OutputFile::open() {
  if (is_planted(path_))
    return base::Status::error("cannot write " + path_ + ": another user put a link or pipe there");
  if (go_on_ && is_pipe(path_)) return open_pipe();
  if (is_other_than_file(path_)) {
    fd_ = base::Fd(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!fd_.valid()) return failed(errno);
  } else {
    base::Result<base::NewFile> made = base::create_beside(path_);
    if (!made.ok()) return made.status();
    fd_ = std::move(made->fd);
    written_path_ = std::move(made->path);
  }
  buffer_ = std::make_unique<FdBuffer>(fd_.get());
  stream_.rdbuf(buffer_.get());
  return {};
}

base::Status OutputFile::commit() {
  stream_.flush();
  if (buffer_->error() != 0) return failed(buffer_->error());
  if (written_path_.empty()) return {};
  if (::rename(written_path_.c_str(), path_.c_str()) != 0) return failed(errno);
  written_path_.clear();
  return {};
}

}  // namespace walkabout::formats
