// For tests: a runtime's end of the diagnostics socket. Each connection that sends something gets the next
// answer and is closed.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "diagnostics/message.h"

namespace walkabout::diagnostics::testing {

inline std::string reply(uint8_t kind, std::string_view payload) {
  std::string bytes = *make_message({0xff, kind}, payload);
  return bytes;
}
inline std::string done(std::string_view payload = {}) { return reply(0x00, payload); }
inline std::string refused(uint32_t hresult) { return reply(0xff, PayloadWriter().number(hresult).done()); }
inline std::string process_info(const std::string& version) {
  PayloadWriter payload;
  payload.number(7).number(0).bytes(std::string(16, 'c'));
  payload.string("app --serve").string("Linux").string("x64").string("App").string(version);
  return payload.done();
}

class TestPort {
 public:
  explicit TestPort(std::vector<std::string> answers) : answers_(std::move(answers)) {
    path_ = "/tmp/walkabout-port-" + std::to_string(::getpid()) + "-" +
            std::to_string(reinterpret_cast<uintptr_t>(this));
    ::unlink(path_.c_str());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
    listener_ = base::Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    listening_ = ::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                 ::listen(listener_.get(), 8) == 0;
    thread_ = std::thread([this] { serve(); });
  }
  ~TestPort() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
    ::unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }
  bool listening() const { return listening_; }
  // What was asked, once all answers were given.
  std::vector<std::string> requests() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    thread_ = std::thread([] {});
    return requests_;
  }

 private:
  void serve() {
    for (const std::string& answer : answers_) {
      const base::Fd connection(::accept(listener_.get(), nullptr, nullptr));
      if (!connection.valid()) return;
      std::string request(65536, '\0');
      const ssize_t n = ::recv(connection.get(), request.data(), request.size(), 0);
      requests_.push_back(request.substr(0, n > 0 ? static_cast<size_t>(n) : 0));
      // In two chunks: a reply need not come at once.
      const size_t half = answer.size() / 2;
      ::send(connection.get(), answer.data(), half, MSG_NOSIGNAL);
      ::send(connection.get(), answer.data() + half, answer.size() - half, MSG_NOSIGNAL);
    }
  }

  std::vector<std::string> answers_, requests_;
  std::string path_;
  base::Fd listener_;
  bool listening_ = false;
  std::thread thread_;
};

}  // namespace walkabout::diagnostics::testing
