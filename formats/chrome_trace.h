// Chrome's trace events as JSON: what Perfetto (ui.perfetto.dev) and chrome://tracing open. Slices are slow
// calls, with their arguments, and events of the runtime that last (pauses, compiles, waits), by thread;
// those that do not last are marks. Calls of async methods that waited or went on in another thread are async
// slices. CPU time is a counter, in cores. Times are microseconds since the recording began. Any thread, no
// state. Source: the document "Trace Event Format", sections "JSON Object Format" and "Event Descriptions".
#pragma once

#include <ostream>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

base::Status write_chrome_trace(const profile::Profile& profile, std::ostream& out);

}  // namespace walkabout::formats
