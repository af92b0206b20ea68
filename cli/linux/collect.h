// `walkabout collect`: the collector that the agent starts for itself where the environment alone says what
// is to be recorded (agent/linux/session/collector_process.h, docs/continuous.md). Not a verb for people: no
// help lists it.
//
// Settings are the agent's: WALKABOUT_OUTPUT, WALKABOUT_EVERY, WALKABOUT_KEEP. The agent is at descriptor 3.
// It lives as long as its program, whatever is sent to the process group, and ends when the stream has ended.
#pragma once

#include "cli/command_line.h"

namespace walkabout::cli {

void add_collect(CommandLine& line);

}  // namespace walkabout::cli
