// UTF-16 to UTF-8 and back. Unpaired surrogates, and bytes that are no UTF-8, become U+FFFD. Allocates; any
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace walkabout::clr {

std::string to_utf8(std::u16string_view text);
// Of bytes wherever they lie, little endian. cut: there was more of it; three dots stand for that.
std::string to_utf8(std::span<const uint8_t> utf16, bool cut);
std::u16string to_utf16(std::string_view text);

}  // namespace walkabout::clr
