// The profiled command: started with the agent in its environment, waited for, its end told the way a shell
// does.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  void send(int signal) const;

 private:
  explicit Target(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

}  // namespace walkabout::cli
