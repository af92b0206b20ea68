// An address as people write it: "0x7f12". Any thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace walkabout::profile {

inline std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace walkabout::profile
