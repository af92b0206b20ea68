// Text from anywhere as it may be shown: without characters that move a terminal's cursor, clear it or
// rename its window, that turn the order of what is read around, or that nobody sees. A recording may come
// from anywhere, and a thread or a method may be called anything. Any thread, no state.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::base {

// Line ends and tabs become spaces. Other control characters (C0, DEL, C1), those that say which way text
// runs, line and paragraph separators, and those without width or shape are written out: \u{202E}. All other
// bytes stay, also those that are no UTF-8.
std::string plain_text(std::string_view text);

}  // namespace walkabout::base
