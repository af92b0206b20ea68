#include "launch/await_runtime.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "console/exit_codes.h"
#include "console/linux/interrupts.h"
#include "console/print.h"

namespace walkabout::cli {
namespace {

constexpr uint64_t kTimeoutNs = 15'000'000'000;
constexpr useconds_t kLookUs = 10'000;

}  // namespace

uint64_t ReportedWait::lasts_ns(const std::string& what) {
  const uint64_t now = base::monotonic_ns();
  if (begin_ns_ == 0) begin_ns_ = now;
  const uint64_t lasts = now - begin_ns_;
  if (!reported_ && lasts > report_after_ns_) {
    fail(kSuccess, "waiting " + what);
    reported_ = true;
  }
  return lasts;
}

base::Result<Reached> await_port(pid_t pid, bool quiet) {
  ReportedWait wait(quiet);
  for (;;) {
    // Anew each time: what it executes next has another environment, and may be another user's.
    base::Result<diagnostics::Process> process = diagnostics::look_at(pid);
    if (!process.ok()) return process.status();
    diagnostics::NoPort cause{};
    base::Result<diagnostics::Port> port = diagnostics::Port::of(*process, &cause);
    if (port.ok()) return Reached{std::move(*process), std::move(*port)};
    if (interrupts() != 0 || !diagnostics::may_have_port_soon(*process, cause) ||
        wait.lasts_ns(fmt::format("for a .NET runtime to start in process {}", pid)) > kTimeoutNs)
      return port.status();
    ::usleep(kLookUs);
  }
}

}  // namespace walkabout::cli
