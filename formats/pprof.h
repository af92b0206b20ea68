// pprof's profile.proto, gzipped: what `go tool pprof` and many services read. CPU time has the sample types
// samples/count and cpu/nanoseconds (the default); every other event that the profile has NAME_samples/count
// and its values, a sample those of its event and 0 for the others. Values of which the largest counts (the
// sizes of the heap) are left out: pprof adds up what it reads. Labels thread (name), tid, and those of
// the event ("state", "system_call") as text; names have '_' for a space. One location per display frame,
// with its line where that is certain, one mapping per module. Any thread, no state. Source of the field
// numbers: proto/profile.proto of google/pprof.
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
