// "100us", "10ms", "1s", "7d" to nanoseconds. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace walkabout::base {

// A decimal number (fraction allowed) and one of ns, us, ms, s, m, h, d; nothing else around it. None when it
// is not that.
std::optional<uint64_t> parse_duration(std::string_view text);

}  // namespace walkabout::base
