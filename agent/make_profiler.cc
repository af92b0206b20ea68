// The profiler of the library that is installed.
#include "agent/profiler.h"

namespace walkabout::agent {

Profiler* make_profiler() { return new Profiler; }

}  // namespace walkabout::agent
