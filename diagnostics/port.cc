#include "diagnostics/port.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/system_error.h"

namespace walkabout::diagnostics {
namespace {

// 0 or errno.
int try_to_connect(const std::string& path, base::Fd* connected) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return ENAMETOOLONG;
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd.valid() || ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return errno;
  *connected = std::move(fd);
  return 0;
}

constexpr char kSuffix[] = "-socket";

std::string prefix_of(const Process& process) {
  return "dotnet-diagnostic-" + std::to_string(process.own_pid) + "-";
}

// As the runtime names it; in a time namespace it has another start time.
std::string own_name(const Process& process) {
  return prefix_of(process) + std::to_string(process.start_time) + kSuffix;
}

// Names of sockets in the process's temporary folder that carry its pid, its own one (by start time) first.
std::vector<std::string> candidates(const Process& process, const base::Fd& folder) {
  const std::string prefix = prefix_of(process), suffix = kSuffix, own = own_name(process);
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path_of(folder).c_str()), ::closedir);
  while (const dirent* entry = dir != nullptr ? ::readdir(dir.get()) : nullptr) {
    const std::string name = entry->d_name;
    if (name.size() <= prefix.size() + suffix.size() || name.compare(0, prefix.size(), prefix) != 0 ||
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
      continue;
    names.insert(name == own ? names.begin() : names.end(), name);
  }
  return names;
}

// Root's too: a daemon may have given up its rights after it was started.
bool is_its_socket(const base::Fd& file, const Process& process) {
  struct stat s {};
  return ::fstat(file.get(), &s) == 0 && S_ISSOCK(s.st_mode) && (s.st_uid == process.uid || s.st_uid == 0);
}

// The process that began to listen (SO_PEERCRED, unix(7)), by its id here.
pid_t listener_of(const base::Fd& connected) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(connected.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
}

base::Status closed_its_socket() {
  return base::Status::error("the process closed its diagnostics socket; has it ended?");
}

}  // namespace

std::optional<base::Result<Reply>> Request::take() {
  char part[4096];
  for (;;) {
    const ssize_t n = ::recv(socket_.get(), part, sizeof part, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return std::nullopt;
    if (n < 0 && errno != ECONNRESET)
      return base::Result<Reply>(base::system_error("the runtime's answer cannot be read"));
    if (n <= 0) return base::Result<Reply>(closed_its_socket());
    received_.append(part, static_cast<size_t>(n));
    const base::Result<size_t> size = message_size(received_);
    if (!size.ok()) return base::Result<Reply>(size.status());
    if (*size != 0 && received_.size() >= *size)
      return parse_reply(std::string_view(received_).substr(0, *size));
  }
}

base::Result<Reply> Request::wait(int timeout_ms, GoOn go_on) {
  const uint64_t end_ns = base::monotonic_ns() + static_cast<uint64_t>(timeout_ms) * 1'000'000;
  for (;;) {
    if (auto reply = take(); reply) return *reply;
    if (!go_on()) return base::Status::error("interrupted before the runtime answered");
    const uint64_t now_ns = base::monotonic_ns();
    if (now_ns >= end_ns)
      return base::Status::error(
          "the runtime does not answer on its diagnostics socket; is the process stopped?");
    pollfd fd{socket_.get(), POLLIN, 0};
    ::poll(&fd, 1, static_cast<int>((end_ns - now_ns) / 1'000'000 + 1));
  }
}

base::Result<Port> Port::of(const Process& process, NoPort* cause) {
  *cause = NoPort::kNoSocket;
  const base::Fd folder = open_in_root(process, temporary_folder(process), O_PATH | O_DIRECTORY);
  if (!folder.valid()) return why_no_port(process, *cause);
  for (const std::string& name : candidates(process, folder)) {
    base::Fd file(::openat(folder.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!file.valid()) continue;
    Port port(path_of(file));
    base::Fd connected;
    const bool its_file = is_its_socket(file, process);
    const int error = its_file ? try_to_connect(port.path_, &connected) : 0;
    port.file_ = std::move(file);
    port.only_ = process.pid;
    if (its_file && error == 0 && listener_of(connected) == process.pid) return port;
    *cause = error == ECONNREFUSED ? NoPort::kStale : error == 0 ? NoPort::kForeign : NoPort::kForbidden;
    // Left by an earlier process of this number.
    if (*cause == NoPort::kStale && name != own_name(process) && !has_runtime(process))
      *cause = NoPort::kNoSocket;
  }
  return why_no_port(process, *cause);
}

base::Result<base::Fd> Port::connect() const {
  base::Fd socket;
  if (const int error = try_to_connect(path_, &socket); error != 0) {
    if (error == ECONNREFUSED || error == ENOENT) return closed_its_socket();
    errno = error;
    return base::system_error("cannot reach the runtime's diagnostics socket");
  }
  if (only_ != 0 && listener_of(socket) != only_)
    return base::Status::error(
        "another process listens on the runtime's diagnostics socket; nothing was sent to it");
  return socket;
}

base::Result<Request> Port::send(Command command, std::string_view payload) const {
  const base::Result<std::string> message = make_message(command, payload);
  if (!message.ok()) return message.status();
  base::Result<base::Fd> socket = connect();
  if (!socket.ok()) return socket.status();
  if (::send(socket->get(), message->data(), message->size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(message->size()))
    return base::system_error("cannot write to the runtime's diagnostics socket");
  return Request(std::move(*socket));
}

}  // namespace walkabout::diagnostics
