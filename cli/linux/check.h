// `walkabout check`: what this machine, and a process or command, allow a profiler; with remedies.
#pragma once

#include <string>
#include <vector>

#include "check/check_result.h"
#include "check/engine_probe.h"
#include "cli/command_line.h"
#include "console/json_out.h"
#include "launch/proc_facts.h"

namespace walkabout::cli {

struct CheckOptions {
  std::vector<std::string> target;  // nothing, one number: a PID, or a command
  bool json = false;
};

void add_check(CommandLine& line);

// kFailure when something prevents profiling.
int check(const CheckOptions& options);

struct CheckReport {
  EngineProbe probe;  // as the target has it
  MachineFacts machine;
  CheckResults results;
};
std::string check_text(const CheckReport& report);
Json check_json(const CheckReport& report);

}  // namespace walkabout::cli
