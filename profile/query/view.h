// Which samples a report is about, and what it sums. Any thread, no state.
#pragma once

#include <string>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::profile {

// event: the name of a source; empty: "cpu", or the first one where CPU time was not sampled. value: the name
// of one of its values; empty: the first. Errors list what there is.
base::Result<View> find_view(const Profile& profile, const std::string& event, const std::string& value);

// The profile with the samples of this source alone, their weights of this value. REQUIRES: it has no view.
Profile viewed(Profile profile, View view);

// Counts again what the threads have and the whole, of all samples.
void count_samples(Profile& profile);

}  // namespace walkabout::profile
