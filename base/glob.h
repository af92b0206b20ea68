// Names by patterns: `*` stands for any characters, `?` for one; everything else for itself. Pure; any
// thread.
#pragma once

#include <string_view>

namespace walkabout::base {

bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace walkabout::base
