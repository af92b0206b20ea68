// For tests: the agent's end of the collector's socket. One thread.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace walkabout::cli::testing {

// The number the next descriptor gets: it grows when one was left open.
inline int next_descriptor() { return base::Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)).get(); }

class TestAgent {
 public:
  explicit TestAgent(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    connected_ = ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  bool connected() const { return connected_; }

  // Bytes (at least one) with so many descriptors attached, at most 4.
  bool send(std::string_view bytes, size_t descriptors = 0) {
    constexpr size_t kMost = 4;
    const base::Fd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    alignas(cmsghdr) char control[CMSG_SPACE(kMost * sizeof(int))] = {};
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptors > 0) {
      message.msg_control = control;
      message.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
      cmsghdr* c = CMSG_FIRSTHDR(&message);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(descriptors * sizeof(int));
      for (size_t i = 0; i < descriptors; ++i) {
        const int fd = file.get();
        std::memcpy(CMSG_DATA(c) + i * sizeof fd, &fd, sizeof fd);
      }
    }
    return ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  // The collector's answer; 0 when there is none.
  char answer() const {
    char byte = 0;
    return ::recv(socket_.get(), &byte, 1, MSG_DONTWAIT) == 1 ? byte : '\0';
  }
  void hang_up() { socket_.reset(); }
  // Says that nothing more comes, and returns when the collector has closed its end.
  void wait_for_end() {
    ::shutdown(socket_.get(), SHUT_WR);
    char byte = 0;
    while (::recv(socket_.get(), &byte, 1, 0) > 0) {
    }
  }

 private:
  base::Fd socket_;
  bool connected_ = false;
};

}  // namespace walkabout::cli::testing
