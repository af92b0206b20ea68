// The profiler of the library that is installed.
#include "agent/entry/make_profiler.h"
#include "agent/linux/session/profiler.h"

namespace walkabout::agent {

clr::CallbackBase* make_profiler() { return new Profiler; }

}  // namespace walkabout::agent
