// `walkabout stats`: how good a recording is: ticks, samples, how walks ended, what was lost, what it cost.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace walkabout::cli {

// Adds the verb; *exit_code is set when it was chosen and has run.
void add_stats(CLI::App& app, int* exit_code);

int stats(const std::string& file, bool json);

}  // namespace walkabout::cli
