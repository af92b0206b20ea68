// One line for standard error, whatever its cause holds: names of files and programs may have line ends and
// escape codes in them. Any thread, no state.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::base {

// "walkabout: TEXT" and a line end. Control characters of TEXT (C0, DEL and, as UTF-8, C1) become \xNN.
std::string error_line(std::string_view text);

}  // namespace walkabout::base
