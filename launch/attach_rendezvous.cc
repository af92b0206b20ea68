#include "launch/attach_rendezvous.h"

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
#include "launch/agent_copy.h"
#include "launch/file_user.h"
#include "launch/held_folder.h"
#include "launch/trust.h"

namespace walkabout::cli {
namespace {

using diagnostics::Process;

constexpr char kPlacePrefix[] = "walkabout-place-";
constexpr int kPlaceTries = 100;

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
  return fmt::format("{}{:08x}", kPlacePrefix, random());
}

// A value of the process's environment is not shown.
std::string shown(const Process& process, const std::string& folder) {
  const bool its_own = !diagnostics::environment_value(process, "TMPDIR").empty();
  return its_own && folder == diagnostics::temporary_folder(process) ? "the folder its TMPDIR names" : folder;
}

void add(const std::string& folder, const std::string& why, std::string* tried) {
  *tried += fmt::format("{}{}: {}", tried->empty() ? "" : "; ", folder, why);
}

// Makes a folder in `parent`, opens and holds it. Returns its name; empty with errno set if it cannot be.
std::string make_folder(const base::Fd& parent, base::Fd* folder) {
  for (int i = 0; i < kPlaceTries; ++i) {
    std::string name = random_name();
    if (::mkdirat(parent.get(), name.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return {};
    }
    *folder = hold_folder(parent, name);
    if (folder->valid()) return name;
    if (errno == ENOENT) continue;
    const int error = errno;
    ::unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR);
    errno = error;
    return {};
  }
  return {};
}

// Of these only the process's user, root and we can take things away.
base::Fd open_parent(const Process& process, const std::string& path, std::string* why) {
  base::Fd folder = diagnostics::open_in_root(process, path, O_PATH | O_DIRECTORY);
  struct stat s {};
  if (!folder.valid() || ::fstat(folder.get(), &s) != 0) {
    *why = strerror(errno);
    return {};
  }
  if (others_may_write(s) || (s.st_uid != 0 && s.st_uid != process.uid && s.st_uid != ::geteuid())) {
    *why = "others could replace what is put there";
    return {};
  }
  return folder;
}

}  // namespace

base::Status AttachRendezvous::open_folder(const Process& process) {
  std::string tried;
  for (const std::string& path : folders(process)) {
    std::string why;
    parent_ = open_parent(process, path, &why);
    parent_path_ = path;
    if (parent_.valid()) {
      const FileUser user(process);
      remove_stale_folders(parent_, kPlacePrefix, process.uid);
      name_ = make_folder(parent_, &folder_);
      if (name_.empty()) why = strerror(errno);
    }
    if (name_.empty()) {
      add(shown(process, path), why, &tried);
    } else if (socket().size() >= sizeof sockaddr_un{}.sun_path) {
      add(shown(process, path), "its path is too long for a socket", &tried);
      ::unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);
      name_.clear();
    } else {
      return {};
    }
  }
  return base::Status::error("no folder can be made in which the process would find our socket (" + tried +
                             ")");
}

base::Status AttachRendezvous::listen(const Process& process) {
  const FileUser user(process);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = diagnostics::path_of(folder_) + "/" + kCollectorSocket;
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  listener_ = base::Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener_.valid() || ::fchmod(listener_.get(), 0600) != 0 ||  // the mode of the file (unix(7))
      ::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_.get(), 1) != 0) {
    return base::system_error("cannot listen in " + shown(process, parent_path_));
  }
  return {};
}

base::Result<AttachRendezvous> AttachRendezvous::make(const Process& process, const std::string& agent) {
  AttachRendezvous rendezvous;
  if (base::Status s = rendezvous.open_folder(process); !s.ok()) return s;
  if (base::Status s = rendezvous.listen(process); !s.ok()) return s;
  if (sees_and_may_read(process, agent)) {
    rendezvous.agent_ = agent;
    return rendezvous;
  }
  std::string tried;
  for (const std::string& path : folders(process)) {
    std::string why;
    const base::Fd folder = open_parent(process, path, &why);
    if (!folder.valid()) {
      add(shown(process, path), why, &tried);
      continue;
    }
    const base::Result<std::string> name = copy_agent(process, agent, folder);
    if (name.ok()) {
      rendezvous.agent_ = path + "/" + *name;
      return rendezvous;
    }
    add(shown(process, path), name.message(), &tried);
  }
  return base::Status::error("the process cannot read the agent " + agent +
                             ", and no copy can be put where it could (" + tried +
                             "); install walkabout where its user and its container can read it");
}

AttachRendezvous::~AttachRendezvous() {
  if (name_.empty() || !parent_.valid()) return;
  ::unlinkat(folder_.get(), kCollectorSocket, 0);
  ::unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);
}

std::string AttachRendezvous::socket() const { return parent_path_ + "/" + name_ + "/" + kCollectorSocket; }

}  // namespace walkabout::cli
