// The report people open: one HTML file with flame graph, time strip, threads and functions, which needs no
// network. The page is built from web/ (TypeScript); this adds the data (formats/html_payload.h). No thread
// rule.
#pragma once

#include <ostream>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

// Fails when the profile contradicts itself (an index out of range, samples out of order) or `out` does.
base::Status write_html(const profile::Profile& profile, std::ostream& out);

}  // namespace walkabout::formats
