// Text as XML and HTML show it. Pure.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::cover {

// What no XML may have is shown as '?'.
std::string escaped(std::string_view text);

}  // namespace walkabout::cover
