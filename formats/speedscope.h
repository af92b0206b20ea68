// speedscope's own file format, type "sampled": one profile per thread that has samples, frames root first,
// weights in the unit of the profile's view. With lines a frame has its line where that is certain, else its
// name says which it may be. Consecutive samples of the same stack are one.
// Of traced calls their times by stack are such profiles; the calls that were kept one by one are profiles of
// type "evented" behind them, one for each thread and for async methods as many as do not overlap. Any
// thread, no state.
#pragma once

#include <ostream>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

base::Status write_speedscope(const profile::Profile& profile, std::ostream& out);

}  // namespace walkabout::formats
