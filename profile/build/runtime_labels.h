// Unnamed code of the runtime where samples end says what it was doing, as far as that is known:
// "[libcoreclr.so] allocating", "[libcoreclr.so] marking", "[libclrjit.so] compiling", "[libcoreclr.so] JIT
// interface", "[libcoreclr.so] in ThreadNative_Start": by what the runtime did that moment, as far as a
// function on the stack says it (profile/query/runtime_work.h); where there is no method, by the runtime's own
// thread that it is, or the nearest function with a name. Frames in the middle of a stack stay as they are.
//
// Samples of who stops all threads for a collection, or lets them go on, are of the activity "runtime".
//
// Only where functions of the runtime have the names of its own tables, as newer recordings do: what older
// ones show does not change. One thread; allocates.
#pragma once

#include "profile/model/profile.h"

namespace walkabout::profile {

// REQUIRES: a node's parent comes before it; that stays so.
void label_runtime(Profile& profile);

}  // namespace walkabout::profile
