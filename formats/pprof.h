// pprof's profile.proto, gzipped: what `go tool pprof` and many services read. Two values a sample
// (samples/count and cpu/nanoseconds, the default), labels thread (name) and tid, one location per display
// frame, one mapping per module. Any thread, no state. Source of the field numbers: proto/profile.proto of
// google/pprof.
#pragma once

#include <ostream>
#include <string>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

base::Status write_pprof(const profile::Profile& profile, std::ostream& out);

// The message before gzip.
std::string pprof_message(const profile::Profile& profile);

}  // namespace walkabout::formats
