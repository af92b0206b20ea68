// What a library gives the CLR: each that is built from these parts has its own.
#pragma once

#include "clr/abi/callback_base.h"

namespace walkabout::agent {

// Made once; lives as long as the process.
clr::CallbackBase* make_profiler();

}  // namespace walkabout::agent
