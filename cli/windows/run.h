// walkabout run on Windows: starts a program with the agent in it and writes what the agent says to a .walk
// file.
#pragma once

#include <string>
#include <vector>

namespace walkabout::cli {

struct RunOptions {
  std::wstring output = L"walkabout.walk";
  std::wstring interval;  // as given; empty: the agent's default, 5 ms
  std::wstring depth;
  std::wstring native;  // full, holes, none
  std::wstring events;  // as given; empty: CPU time
  bool oracle = false;  // the CLR's walks are recorded beside our own
  std::vector<std::wstring> command;
};

// The program's exit code; 1 when it could not be profiled (the cause is on stderr) and returned 0.
int run(const RunOptions& options);

}  // namespace walkabout::cli
