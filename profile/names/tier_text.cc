#include "profile/names/tier_text.h"

#include <array>

#include "wire/code_records.h"

namespace walkabout::profile {

std::string tiers_text(uint16_t tiers) {
  // By wire::Tier.
  constexpr std::array kNames = {
      "",    "minimal optimization", "optimized",           "tier-0",       "tier-1",
      "OSR", "tier-0 instrumented",  "tier-1 instrumented", "ready-to-run", "precompiled"};
  std::string text;
  for (size_t i = 1; i < kNames.size(); ++i) {
    if ((tiers >> i & 1) != 0) text += (text.empty() ? "" : ", ") + std::string(kNames[i]);
  }
  return text;
}

}  // namespace walkabout::profile
