// Unnamed code of the runtime where samples end says what it was doing, as far as that is known:
// "[libcoreclr.so] collecting", "[libcoreclr.so] allocating", "[libclrjit.so] compiling", "[libcoreclr.so]
// for the JIT", "[libcoreclr.so] in ThreadNative_Start": by the runtime's function that the last method
// called; where there is no method, by the runtime's own thread that it is, or the nearest function with a
// name. Frames in the middle of a stack stay as they are.
//
// Only where functions of the runtime have the names of its own tables, as newer recordings do: what older
// ones show does not change. One thread; allocates.
#pragma once

#include "profile/model/profile.h"

namespace walkabout::profile {

// REQUIRES: a node's parent comes before it; that stays so.
void label_runtime(Profile& profile);

}  // namespace walkabout::profile
