#include "base/percent.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace walkabout::base {

std::optional<uint32_t> parse_percent(std::string_view text) {
  constexpr double kPpm = 1e4;  // of one percent
  if (text.size() < 2 || text.back() != '%') return std::nullopt;
  const std::string number(text.substr(0, text.size() - 1));
  if (number.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double percent = std::strtod(number.c_str(), &end);
  if (*end != '\0' || !(percent > 0) || percent > 100) return std::nullopt;
  return static_cast<uint32_t>(std::max(std::llround(percent * kPpm), 1LL));
}

}  // namespace walkabout::base
