#include "base/duration.h"

#include <cmath>
#include <cstdlib>
#include <string>

namespace walkabout::base {

std::optional<uint64_t> parse_duration(std::string_view text) {
  const size_t unit_at = text.find_first_not_of("0123456789.");
  if (unit_at == 0 || unit_at == std::string_view::npos) return std::nullopt;
  const std::string number(text.substr(0, unit_at));
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (*end != '\0') return std::nullopt;
  const std::string_view unit = text.substr(unit_at);
  double scale = 0;
  if (unit == "ns") scale = 1;
  if (unit == "us") scale = 1e3;
  if (unit == "ms") scale = 1e6;
  if (unit == "s") scale = 1e9;
  if (unit == "m") scale = 60e9;
  if (unit == "h") scale = 3600e9;
  if (unit == "d") scale = 86400e9;
  const double ns = value * scale;
  if (scale == 0 || !(ns < 9e18)) return std::nullopt;
  return static_cast<uint64_t>(std::llround(ns));
}

}  // namespace walkabout::base
