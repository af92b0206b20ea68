// One line for standard error, whatever its cause holds: names of files and programs may have line ends and
// escape codes in them. Any thread, no state.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::base {

// "walkabout: TEXT" and a line end. TEXT as it may be shown (plain_text.h).
std::string error_line(std::string_view text);

}  // namespace walkabout::base
