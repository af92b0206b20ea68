#include "agent/linux/stream_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "base/system_error.h"
#include "wire/hello.h"

namespace walkabout::agent {
namespace {

constexpr int kStartPatienceSeconds = 10;  // of a process that begins, on a busy machine
// In a user namespace, users without a number in it all look like this one (user_namespaces(7)).
constexpr uid_t kUnknownUser = 65534;

bool knows_all_users() {
  unsigned first = 0, outside = 0, count = 0;
  FILE* map = ::fopen("/proc/self/uid_map", "re");
  if (map == nullptr) return true;
  const bool one = ::fscanf(map, "%u %u %u", &first, &outside, &count) == 3;
  ::fclose(map);
  return !one || (first == 0 && outside == 0 && count == UINT32_MAX);
}

// Who listens there, or made the pair of sockets (SO_PEERCRED, unix(7)).
bool peer_of(int socket, ucred* peer) {
  socklen_t size = sizeof *peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0;
}

// The collector's user is ours, or root, perhaps from outside of our container.
bool is_trusted(int socket) {
  ucred peer{};
  if (!peer_of(socket, &peer)) return false;
  if (peer.uid == ::geteuid() || peer.uid == 0) return true;
  return peer.uid == kUnknownUser && !knows_all_users();
}

base::Status send_hello(int socket, int ring_fd) {
  char hello = wire::kHello;
  iovec part{&hello, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(c), &ring_fd, sizeof ring_fd);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? base::Status()
                                                        : base::system_error("cannot greet the collector");
}

base::Result<base::Fd> reach(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return base::Status::error("the path of the collector's socket is too long");
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return base::system_error("cannot create a socket");
  timeval patience{wire::kHelloPatienceSeconds, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);  // also bounds connect()
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return base::system_error("cannot reach the collector");
  }
  if (!is_trusted(fd.get()))
    return base::Status::error("another user listens on the collector's socket; nothing was sent there");
  return fd;
}

}  // namespace

base::Status StreamOut::connect(const std::string& path, int ring_fd, bool* wanted) {
  base::Result<base::Fd> fd = reach(path);
  if (!fd.ok()) return fd.status();
  return greet(std::move(*fd), ring_fd, wire::kHelloPatienceSeconds, wanted);
}

void StreamOut::refuse(const std::string& path, const std::string& why) {
  const base::Result<base::Fd> fd = reach(path);
  if (!fd.ok()) return;
  const std::string said = wire::kCannot + why.substr(0, wire::kMostRefusal);
  [[maybe_unused]] const ssize_t n = ::send(fd->get(), said.data(), said.size(), MSG_NOSIGNAL);
}

base::Status StreamOut::greet_own(base::Fd socket, int ring_fd, bool* wanted) {
  return greet(std::move(socket), ring_fd, kStartPatienceSeconds, wanted);
}

base::Status StreamOut::greet(base::Fd fd, int ring_fd, int patience_seconds, bool* wanted) {
  const timeval patience{patience_seconds, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (base::Status s = send_hello(fd.get(), ring_fd); !s.ok()) return s;
  char answer = 0;
  ssize_t n = 0;
  do {
    n = ::recv(fd.get(), &answer, 1, 0);
  } while (n < 0 && errno == EINTR);
  if (n != 1) return base::Status::error("the collector did not answer");
  *wanted = answer == wire::kWelcome;
  const timeval forever{0, 0};  // the spooler may wait for a slow collector, and close() for its last file
  for (const int timeout : {SO_SNDTIMEO, SO_RCVTIMEO})
    ::setsockopt(fd.get(), SOL_SOCKET, timeout, &forever, sizeof forever);
  ucred peer{};
  collector_is_near_ =
      peer_of(fd.get(), &peer) && peer.pid != 0;  // 0: of another namespace (pid_namespaces(7))
  keep(std::move(fd));
  socket_ = true;
  return {};
}

base::Status StreamOut::create(const std::string& path) {
  base::Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return base::system_error("cannot create the file that WALKABOUT_STREAM names");
  keep(std::move(fd));
  return {};
}

// By statx: fstat(2) has another name before glibc 2.33.
StreamOut::File StreamOut::file_of(int fd) {
  struct statx s {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_INO, &s) != 0) return {};
  return {s.stx_dev_major, s.stx_dev_minor, s.stx_ino};
}

void StreamOut::keep(base::Fd fd) {
  fd_ = std::move(fd);
  file_ = file_of(fd_.get());
}

bool StreamOut::is_ours() const { return fd_.valid() && file_of(fd_.get()) == file_; }

void StreamOut::cut() {
  if (socket_ && is_ours()) ::shutdown(fd_.get(), SHUT_RDWR);
}

bool StreamOut::collector_is_done() const {
  char none = 0;
  return socket_ && is_ours() && ::recv(fd_.get(), &none, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// Until the collector closed its end, or cut().
void StreamOut::close() {
  if (fd_.valid() && !is_ours()) static_cast<void>(fd_.release());
  if (wait_at_close_ && fd_.valid()) {
    ::shutdown(fd_.get(), SHUT_WR);
    char none = 0;
    while (::recv(fd_.get(), &none, 1, 0) > 0) {
    }
  }
  fd_.reset();
}

base::Status StreamOut::write(std::string_view bytes) {
  if (!is_ours()) return base::Status::error("the program has closed the recording's descriptor");
  while (!bytes.empty()) {
    const ssize_t n = socket_ ? ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL)
                              : ::write(fd_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return base::system_error("cannot write the recording");
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

}  // namespace walkabout::agent
