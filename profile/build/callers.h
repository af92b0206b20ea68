// Names the callers of counted calls, as reports name frames, and gives each method its own. One thread.
#pragma once

#include <vector>

#include "profile/build/calls.h"
#include "profile/names/names.h"
#include "recording/caller_totals.h"

namespace walkabout::profile {

// names: of the whole recording; its code is sorted here. Places and compiled versions of one caller are one.
// Where the recording says what was inlined, the caller is the method that was; else the one that was
// compiled.
void add_callers(const recording::CallerTotals& totals, Names* names, std::vector<CountedCalls>* methods);

}  // namespace walkabout::profile
