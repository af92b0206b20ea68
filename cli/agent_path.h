// Where the agent's library is: beside this program, or in ../lib/walkabout of an installation.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::cli {

base::Result<std::string> agent_path();

}  // namespace walkabout::cli
