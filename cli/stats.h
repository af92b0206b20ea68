// `walkabout stats`: how good a recording is: ticks, samples, how walks ended, what was lost, what it cost.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.h"

namespace walkabout::cli {

void add_stats(CommandLine& line);

// process: of an index, that one alone; 0: all.
int stats(const std::string& file, bool json, uint32_t process = 0);

}  // namespace walkabout::cli
