// `walkabout check`: what this machine, and a process or command, allow a profiler; with remedies.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/engine_probe.h"
#include "cli/finding.h"
#include "cli/json_out.h"
#include "cli/proc_facts.h"

namespace walkabout::cli {

struct CheckOptions {
  std::vector<std::string> target;  // nothing, one number: a PID, or a command
  bool json = false;
};

// Adds the verb; *exit_code is set when it was chosen and has run.
void add_check(CLI::App& app, int* exit_code);

// kFailure when something prevents profiling.
int check(const CheckOptions& options);

struct CheckResult {
  EngineProbe probe;  // as the target has it
  MachineFacts machine;
  Findings findings;
};
std::string check_text(const CheckResult& result);
Json check_json(const CheckResult& result);

}  // namespace walkabout::cli
