// The profiled command: started with the agent in its environment, waited for, its end reported the way a
// shell does.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::cli {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct TargetEnd {
  int exit_code = 0;  // 128 + signal when a signal ended it
  int signal = 0;
};

class Target {
 public:
  // An error when the command cannot be executed: its cause (not found, not executable).
  static base::Result<Target> start(const std::vector<std::string>& command, const Environment& extra);
  // None while it runs.
  std::optional<TargetEnd> poll();
  pid_t pid() const { return pid_; }
  // Readable (poll) once it has ended; -1 where there is no such descriptor to be had (before Linux 5.3).
  int end_fd() const { return end_.get(); }
  void send(int signal) const;

 private:
  explicit Target(pid_t pid);
  pid_t pid_;
  base::Fd end_;
};

}  // namespace walkabout::cli
