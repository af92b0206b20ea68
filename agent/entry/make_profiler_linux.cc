// The profiler of the library that is installed.
#include <utility>

#include "agent/entry/make_profiler.h"
#include "agent/linux/cover/cover_options.h"
#include "agent/linux/cover/cover_profiler.h"
#include "agent/linux/session/profiler.h"
#include "clr/abi/callback_report.h"

namespace walkabout::agent {

clr::CallbackBase* make_profiler() {
  if (auto cover = cover_options()) return new CoverProfiler(std::move(*cover));
  return new clr::Reporting<Profiler>;
}

}  // namespace walkabout::agent
