// Where the agent's library is: beside this program, or in ../lib/walkabout of an installation.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::cli {

// Its own path, without links.
base::Result<std::string> agent_path();

// Whether this file may be loaded into programs. Whoever could change it would run code in every one of them:
// an error if that is not only root, this user, or who could change this program too (launch/trust.h).
base::Status check_agent_is_ours(const std::string& path);

}  // namespace walkabout::cli
