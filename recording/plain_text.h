// Text of a recording as it may be shown: without characters that move a terminal's cursor, clear it or
// rename its window. A recording may come from anywhere, and a thread may be called anything. Any thread, no
// state.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::recording {

// Line ends and tabs become spaces; other control characters (C0, DEL and, as UTF-8, C1) the replacement
// character U+FFFD. All other bytes stay, also those that are no UTF-8.
std::string plain_text(std::string_view text);

}  // namespace walkabout::recording
