#include "cli/meeting_place.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <vector>

#include "base/system_error.h"
#include "cli/agent_copy.h"

namespace walkabout::cli {
namespace {

using diagnostics::Process;

constexpr const char* kSocketName = "agent";
constexpr int kTries = 100;

// The process's folders for files that need not stay, the likeliest first.
std::vector<std::string> folders(const Process& process) {
  std::vector<std::string> all{diagnostics::temporary_folder(process)};
  for (const char* other : {"/tmp", "/dev/shm", "/var/tmp"}) {
    if (std::find(all.begin(), all.end(), other) == all.end()) all.emplace_back(other);
  }
  return all;
}

std::string random_name() {
  std::random_device random;
  return fmt::format("walkabout-{:08x}", random());
}

void add(const std::string& folder, const std::string& why, std::string* tried) {
  *tried += fmt::format("{}{}: {}", tried->empty() ? "" : "; ", folder, why);
}

// If the process is another user's (we are root then), the file is given to it.
bool hand_over(const Process& process, const base::Fd& folder, const char* name) {
  return process.uid == ::geteuid() ||
         ::fchownat(folder.get(), name, process.uid, process.gid, AT_SYMLINK_NOFOLLOW) == 0;
}

// Makes a folder for the process's user in `parent` and opens it. Returns its name; empty with errno set if
// it cannot be.
std::string make_folder(const Process& process, const base::Fd& parent, base::Fd* folder) {
  for (int i = 0; i < kTries; ++i) {
    const std::string name = random_name();
    if (::mkdirat(parent.get(), name.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return {};
    }
    *folder = base::Fd(::openat(parent.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder->valid() && hand_over(process, parent, name.c_str())) return name;
    const int error = errno;
    ::unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR);
    errno = error;
    return {};
  }
  return {};
}

}  // namespace

base::Status MeetingPlace::open_folder(const Process& process) {
  std::string tried;
  for (const std::string& path : folders(process)) {
    parent_ = diagnostics::open_in_root(process, path, O_PATH | O_DIRECTORY);
    parent_path_ = path;
    if (parent_.valid()) name_ = make_folder(process, parent_, &folder_);
    if (name_.empty()) {
      add(path, strerror(errno), &tried);
    } else if (socket().size() >= sizeof sockaddr_un{}.sun_path) {
      add(path, "its path is too long for a socket", &tried);
      ::unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);
      name_.clear();
    } else {
      return {};
    }
  }
  return base::Status::error("no folder can be made in which the process would find our socket (" + tried +
                             ")");
}

base::Status MeetingPlace::listen(const Process& process) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = diagnostics::path_of(folder_) + "/" + kSocketName;
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  listener_ = base::Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener_.valid() ||
      ::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::fchmodat(folder_.get(), kSocketName, 0600, 0) != 0 || !hand_over(process, folder_, kSocketName) ||
      ::listen(listener_.get(), 1) != 0) {
    return base::system_error("cannot listen in " + parent_path_);
  }
  return {};
}

base::Result<MeetingPlace> MeetingPlace::make(const Process& process, const std::string& agent) {
  MeetingPlace place;
  if (base::Status s = place.open_folder(process); !s.ok()) return s;
  if (base::Status s = place.listen(process); !s.ok()) return s;
  if (sees_and_may_read(process, agent)) {
    place.agent_ = agent;
    return place;
  }
  std::string tried;
  for (const std::string& path : folders(process)) {
    const base::Fd folder = diagnostics::open_in_root(process, path, O_PATH | O_DIRECTORY);
    if (!folder.valid()) {
      add(path, strerror(errno), &tried);
      continue;
    }
    const base::Result<std::string> name = copy_agent(process, agent, folder);
    if (name.ok()) {
      place.agent_ = path + "/" + *name;
      return place;
    }
    add(path, name.message(), &tried);
  }
  return base::Status::error("the process cannot read the agent " + agent +
                             ", and no copy can be put where it could (" + tried +
                             "); install walkabout where its user and its container can read it");
}

MeetingPlace::~MeetingPlace() {
  if (name_.empty() || !parent_.valid()) return;
  ::unlinkat(folder_.get(), kSocketName, 0);
  ::unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);
}

std::string MeetingPlace::socket() const { return parent_path_ + "/" + name_ + "/" + kSocketName; }

}  // namespace walkabout::cli
