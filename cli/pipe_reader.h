// How walkabout waits for the reader of a pipe (FIFO) that -o names: it says so, and the user's signals end
// the wait. One thread.
#pragma once

#include "formats/output_file.h"

namespace walkabout::cli {

// From now on; REQUIRES watch_interrupts() (console/linux/interrupts.h), or a signal ends the program as
// usual.
formats::GoOn until_interrupted();

}  // namespace walkabout::cli
