#include "console/numbers.h"

#include <fmt/format.h>

#include <iterator>

namespace walkabout::cli {

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

double seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

std::string duration(uint64_t ns) {
  const auto scaled = [](double value, const char* unit) {
    const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, digits, unit);
  };
  if (ns == 0) return "0 s";
  if (ns < 999'500) return scaled(static_cast<double>(ns) / 1e3, "us");
  if (ns < 999'500'000) return scaled(static_cast<double>(ns) / 1e6, "ms");
  return scaled(seconds(ns), "s");
}

std::string byte_size(uint64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1023.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(uint64_t count, const std::string& noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace walkabout::cli
