// UTF-16 to UTF-8. Unpaired surrogates become U+FFFD. Allocates; any thread.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::clr {

std::string to_utf8(std::u16string_view text);

}  // namespace walkabout::clr
