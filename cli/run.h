// `walkabout run`: starts a command with the agent inside, collects, reports.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace walkabout::cli {

struct RunOptions {
  std::vector<std::string> outputs;
  std::string interval = "99hz";
  std::string engine = "auto";
  uint32_t depth = 2048;
  bool oracle = false;
  bool children = false;
  bool unfold = false;
  bool quiet = false;
  std::vector<std::string> command;
};

// Adds the verb; *exit_code is set when it was chosen and has run.
void add_run(CLI::App& app, int* exit_code);

// The target's exit code, or kFailure / kUsage (cli/exit_codes.h) with the cause on stderr.
int run(const RunOptions& options);

}  // namespace walkabout::cli
