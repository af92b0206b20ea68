// `walkabout stats`: how good a recording is: ticks, samples, how walks ended, what was lost, what it cost.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace walkabout::cli {

// Adds the verb; *exit_code is set when it was chosen and has run.
void add_stats(CLI::App& app, int* exit_code);

// process: of an index, that one alone; 0: all.
int stats(const std::string& file, bool json, uint32_t process = 0);

}  // namespace walkabout::cli
