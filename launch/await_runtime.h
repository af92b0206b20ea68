// A process that is attached to may be so young that its runtime is still starting: it is waited for.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "diagnostics/port.h"
#include "diagnostics/process.h"

namespace walkabout::cli {

// A wait that is reported to the user, once, when it lasts.
class ReportedWait {
 public:
  // quiet: it is not reported.
  explicit ReportedWait(bool quiet, uint64_t report_after_ns = 1'000'000'000)
      : reported_(quiet), report_after_ns_(report_after_ns) {}
  // The wait goes on; since the first call for so long.
  uint64_t lasts_ns(const std::string& what);

 private:
  uint64_t begin_ns_ = 0;
  bool reported_;
  uint64_t report_after_ns_;
};

struct Reached {
  diagnostics::Process process;
  diagnostics::Port port;
};
// The process's port, when it has one. An error says why it has none, at once where none will come.
base::Result<Reached> await_port(pid_t pid, bool quiet);

}  // namespace walkabout::cli
