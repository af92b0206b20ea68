// What `walkabout cover` asks of the agent, by environment variables; processes below inherit them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace walkabout::agent {

struct CoverOptions {
  std::string folder;                         // WALKABOUT_COVER: where the counts go
  std::vector<std::string> include, exclude;  // WALKABOUT_COVER_INCLUDE, …_EXCLUDE: names, with `;` between
  bool counts = false;                        // WALKABOUT_COVER_HITS=1: how often, not only whether
  bool tests = false;                         // WALKABOUT_COVER_TESTS=1: in which test as well
};

// None: this process is not to be covered.
std::optional<CoverOptions> cover_options();

}  // namespace walkabout::agent
