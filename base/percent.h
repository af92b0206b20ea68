// "1%", "0.25%" to parts per million. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace walkabout::base {

// A decimal number (fraction allowed) above 0 and at most 100, and a percent sign; none when it is not that.
// What is below one millionth counts as one.
std::optional<uint32_t> parse_percent(std::string_view text);

}  // namespace walkabout::base
