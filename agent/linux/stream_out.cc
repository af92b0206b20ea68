#include "agent/linux/stream_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/system_error.h"
#include "wire/hello.h"

namespace walkabout::agent {
namespace {

// How long to wait before a collector that has not read is tried again.
constexpr std::chrono::milliseconds kFirstWait{1}, kLongestWait{20};
constexpr int kStartTimeoutSeconds = 10;  // of a process that begins, on a busy machine
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
  timeval timeout{wire::kHelloTimeoutSeconds, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);  // also bounds connect()
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return base::system_error("cannot reach the collector");
  }
  if (!is_trusted(fd.get()))
    return base::Status::error("another user listens on the collector's socket; nothing was sent there");
  return fd;
}

}  // namespace

StreamOut::~StreamOut() {
  close();
  let_go();
}

base::Status StreamOut::connect(const std::string& path, int ring_fd, bool* wanted) {
  return host_.try_call([&]() -> base::Status {
    base::Result<base::Fd> fd = reach(path);
    if (!fd.ok()) return fd.status();
    return handshake(std::move(*fd), ring_fd, wire::kHelloTimeoutSeconds, wanted);
  });
}

void StreamOut::refuse(const std::string& path, const std::string& why) {
  const base::Result<base::Fd> fd = reach(path);
  if (!fd.ok()) return;
  const std::string message = wire::kCannot + why.substr(0, wire::kMostRefusal);
  [[maybe_unused]] const ssize_t n = ::send(fd->get(), message.data(), message.size(), MSG_NOSIGNAL);
}

base::Status StreamOut::handshake_with_own(base::Fd socket, int ring_fd, bool* wanted) {
  return handshake(std::move(socket), ring_fd, kStartTimeoutSeconds, wanted);
}

// REQUIRES: inside work of the host, which nobody else needs yet: it waits for the answer.
base::Status StreamOut::handshake(base::Fd fd, int ring_fd, int timeout_seconds, bool* wanted) {
  const timeval timeout{timeout_seconds, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  if (base::Status s = send_hello(fd.get(), ring_fd); !s.ok()) return s;
  char answer = 0;
  ssize_t n = 0;
  do {
    n = ::recv(fd.get(), &answer, 1, 0);
  } while (n < 0 && errno == EINTR);
  if (n != 1) return base::Status::error("the collector did not answer");
  *wanted = answer == wire::kWelcome;
  ucred peer{};
  collector_is_near_ =
      peer_of(fd.get(), &peer) && peer.pid != 0;  // 0: of another namespace (pid_namespaces(7))
  fd_.take(fd.release());
  socket_ = true;
  return {};
}

base::Status StreamOut::create(const std::string& path) {
  return host_.try_call([&]() -> base::Status {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return base::system_error("cannot create the file that WALKABOUT_STREAM names");
    fd_.take(fd);
    return {};
  });
}

bool StreamOut::watch(std::function<void()> gone) {
  if (!socket_ || !fd_.valid()) return false;
  return host_.call([&] { host_.watch(fd_.get(), std::move(gone)); });
}

void StreamOut::unwatch() {
  host_.call([&] { host_.unwatch(); });
}

void StreamOut::cut() {
  {
    const base::Lock lock(mutex_);
    cut_ = true;
    was_cut_.notify_all();
  }
  if (!socket_) return;  // the host may be in a write to a file, for as long as the disk takes
  host_.call([&] {
    if (fd_.is_ours()) ::shutdown(fd_.get(), SHUT_RDWR);
  });
}

// Waits, but not for a stream that is cut.
bool StreamOut::is_cut(std::chrono::milliseconds wait) {
  base::Lock lock(mutex_);
  return was_cut_.wait_for(lock.waiting(), wait, [this]() WALKABOUT_REQUIRES(mutex_) { return cut_; });
}

bool StreamOut::collector_is_done() {
  bool done = false;
  host_.call([&] {
    char none = 0;
    done = socket_ && fd_.is_ours() && ::recv(fd_.get(), &none, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
  });
  return done;
}

void StreamOut::close() {
  if (wait_at_close_ && fd_.valid()) {
    bool over = true;
    host_.call([&] {
      over = !fd_.is_ours();
      if (!over) ::shutdown(fd_.get(), SHUT_WR);
    });
    for (auto wait = kFirstWait; !over && !is_cut(wait); wait = std::min(2 * wait, kLongestWait)) {
      host_.call([&] {
        char none = 0;
        const ssize_t n = fd_.is_ours() ? ::recv(fd_.get(), &none, 1, MSG_DONTWAIT) : 0;
        over = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
      });
    }
    wait_at_close_ = false;
  }
  if (!held_) fd_.reset();
}

void StreamOut::let_go() { fd_.reset(); }

// What the collector takes now. REQUIRES: inside work of the host.
base::Status StreamOut::write_some(std::string_view* bytes) {
  if (!fd_.is_ours()) return base::Status::error("the program has closed the recording's descriptor");
  while (!bytes->empty()) {
    const ssize_t n = socket_ ? ::send(fd_.get(), bytes->data(), bytes->size(), MSG_NOSIGNAL | MSG_DONTWAIT)
                              : ::write(fd_.get(), bytes->data(), bytes->size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && socket_ && errno == EAGAIN) return {};
    if (n < 0) return base::system_error("cannot write the recording");
    bytes->remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

base::Status StreamOut::write(std::string_view bytes) {
  for (auto wait = kFirstWait;; wait = std::min(2 * wait, kLongestWait)) {
    const size_t before = bytes.size();
    if (base::Status s = host_.try_call([&] { return write_some(&bytes); }); !s.ok()) return s;
    if (bytes.empty()) return {};
    if (bytes.size() != before) wait = kFirstWait;
    if (is_cut(wait)) return base::Status::error("the collector does not read");
  }
}

}  // namespace walkabout::agent
