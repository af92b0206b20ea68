// UTF-16 to UTF-8 and back. Unpaired surrogates, and bytes that are no UTF-8, become U+FFFD. Allocates; any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::clr {

std::string to_utf8(std::u16string_view text);
std::u16string to_utf16(std::string_view text);

}  // namespace walkabout::clr
