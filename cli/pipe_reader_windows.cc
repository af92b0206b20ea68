#include "cli/pipe_reader.h"

namespace walkabout::cli {

// A pipe's writer does not wait there.
formats::GoOn until_interrupted() { return {}; }

}  // namespace walkabout::cli
