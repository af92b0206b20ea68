// The agent's options on Windows: those of agent/shared/options.h, and how native frames are shown.
#pragma once

#include "agent/shared/mixed_stack.h"
#include "agent/shared/options.h"

namespace walkabout::agent {

struct WindowsOptions {
  Options common;
  NativeFrames native = NativeFrames::kFull;  // WALKABOUT_NATIVE: full, holes, none
};

// An error names the variable and what it may be.
base::Result<WindowsOptions> windows_options();

}  // namespace walkabout::agent
