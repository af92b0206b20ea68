// A runtime's diagnostics port: the Unix socket it listens on for commands from outside,
// dotnet-diagnostic-PID-START-socket in its temporary folder (the names are its own: its pid and start time
// as it sees them). One command a connection. One thread.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "diagnostics/message.h"
#include "diagnostics/no_port.h"
#include "diagnostics/process.h"

namespace walkabout::diagnostics {

// Whether a wait goes on: asked whenever a signal has come.
using GoOn = bool (*)();
inline bool always() { return true; }

// A command under way.
class Request {
 public:
  // Becomes readable when there is something to take.
  int fd() const { return socket_.get(); }
  // The reply if it is there; none while it is not. Does not wait.
  std::optional<base::Result<Reply>> take();
  // Waits for it.
  base::Result<Reply> wait(int timeout_ms, GoOn go_on = always);

 private:
  friend class Port;
  explicit Request(base::Fd socket) : socket_(std::move(socket)) {}
  base::Fd socket_;
  std::string received_;
};

class Port {
 public:
  // The port of a process. An error that says why it has none: it is no .NET program, its diagnostics are
  // switched off, it was compiled ahead of time, what is there is left over from another process, or was put
  // there by one. Nothing is sent but to that very process, each time (SO_PEERCRED).
  static base::Result<Port> of(const Process& process) {
    NoPort cause{};
    return of(process, &cause);
  }
  static base::Result<Port> of(const Process& process, NoPort* cause);
  // One that is reached by this path of ours.
  explicit Port(std::string path) : path_(std::move(path)) {}

  base::Result<Request> send(Command command, std::string_view payload) const;

 private:
  base::Result<base::Fd> connect() const;

  base::Fd file_;  // holds what path_ names
  std::string path_;
  pid_t only_ = 0;  // 0: whoever listens
};

}  // namespace walkabout::diagnostics
