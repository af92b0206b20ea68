// Whether this process was started, however far above, by one that has the agent in it: a child inherits the
// variables that started the agent there. As /proc shows it; a process that may not be looked at, or that is
// gone, tells nothing.
#pragma once

#include <string>

namespace walkabout::agent {

// Whether a parent, its parent … has a file of that name mapped.
bool an_ancestor_has(const std::string& file_name);

}  // namespace walkabout::agent
