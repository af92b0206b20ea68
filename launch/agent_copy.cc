#include "launch/agent_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <optional>

#include "base/linux/write_all.h"
#include "base/system_error.h"

namespace walkabout::cli {
namespace {

constexpr mode_t kReadableByAll = 0644;

std::optional<std::string> contents(const base::Fd& file) {
  std::string all;
  char part[1 << 16];
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(file.get(), part, sizeof part, at);
    if (n < 0) return std::nullopt;
    if (n == 0) return all;
    all.append(part, static_cast<size_t>(n));
    at += n;
  }
}

// FNV-1a: tells versions apart; what the file holds is compared whole before it is used.
uint64_t hash(const std::string& bytes) {
  uint64_t h = 0xcbf29ce484222325;
  for (const char c : bytes) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return h;
}

bool is_the_copy(const diagnostics::Process& process, const base::Fd& folder, const std::string& name,
                 const std::string& content) {
  const base::Fd file(::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat s {};
  if (!file.valid() || ::fstat(file.get(), &s) != 0 || !S_ISREG(s.st_mode)) return false;
  const bool trusted = s.st_uid == 0 || s.st_uid == ::geteuid() || s.st_uid == process.uid;
  if (!trusted || (s.st_mode & (S_IWGRP | S_IWOTH)) != 0) return false;
  return static_cast<size_t>(s.st_size) == content.size() && contents(file) == content;
}

base::Status write_copy(const base::Fd& file, const std::string& bytes) {
  if (!base::write_all(file.get(), bytes)) return base::system_error("cannot write it");
  // Whatever our umask is.
  return ::fchmod(file.get(), kReadableByAll) == 0 ? base::Status()
                                                   : base::system_error("cannot make it readable");
}

// Whether the permission bits let the user do `wanted` (4 read, 1 enter).
bool may(const diagnostics::Process& process, const struct stat& s, mode_t wanted) {
  if (process.uid == 0) return true;
  const unsigned shift = s.st_uid == process.uid ? 6 : s.st_gid == process.gid ? 3 : 0;
  return (s.st_mode >> shift & wanted) == wanted;
}

}  // namespace

bool sees_and_may_read(const diagnostics::Process& process, const std::string& path) {
  struct stat ours {
  }, theirs{};
  for (size_t slash = 0; slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const base::Fd folder =
        diagnostics::open_in_root(process, slash == 0 ? "/" : path.substr(0, slash), O_PATH | O_DIRECTORY);
    if (!folder.valid() || ::fstat(folder.get(), &theirs) != 0 || !may(process, theirs, 1)) return false;
  }
  const base::Fd file = diagnostics::open_in_root(process, path, O_PATH);
  if (!file.valid() || ::fstat(file.get(), &theirs) != 0 || ::stat(path.c_str(), &ours) != 0) return false;
  return theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino && may(process, theirs, 4);
}

base::Result<std::string> copy_agent(const diagnostics::Process& process, const std::string& library,
                                     const base::Fd& folder) {
  struct statvfs system {};
  if (::fstatvfs(folder.get(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0)
    return base::Status::error("no code may be run from there (noexec)");
  const base::Fd ours(::open(library.c_str(), O_RDONLY | O_CLOEXEC));
  const std::optional<std::string> content = contents(ours);
  if (!content) return base::system_error("cannot read " + library);
  std::string name = fmt::format("libwalkabout-{:016x}.so", hash(*content));
  if (is_the_copy(process, folder, name, *content)) return name;
  const std::string fresh = name + "." + std::to_string(::getpid());
  const base::Fd file(::openat(folder.get(), fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) return base::system_error("cannot create a file");
  base::Status status = write_copy(file, *content);
  if (status.ok() &&
      ::renameat2(folder.get(), fresh.c_str(), folder.get(), name.c_str(), RENAME_NOREPLACE) != 0) {
    status = errno == EEXIST ? base::Status::error("there is another file called " + name + "; remove it")
                             : base::system_error("cannot rename it");
    if (is_the_copy(process, folder, name, *content)) status = {};  // another attach was faster
  } else if (status.ok()) {
    return name;
  }
  ::unlinkat(folder.get(), fresh.c_str(), 0);
  return status.ok() ? base::Result<std::string>(name) : status;
}

}  // namespace walkabout::cli
