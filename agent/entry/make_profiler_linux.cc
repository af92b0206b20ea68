// The profiler of the library that is installed.
#include "agent/entry/make_profiler.h"
#include "agent/linux/session/profiler.h"
#include "clr/abi/callback_report.h"

namespace walkabout::agent {

clr::CallbackBase* make_profiler() { return new clr::Reporting<Profiler>; }

}  // namespace walkabout::agent
