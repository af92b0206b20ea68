#include "profile/names/tier_text.h"

#include <gtest/gtest.h>

#include "wire/code_records.h"

namespace walkabout::profile {
namespace {

uint16_t bit(wire::Tier tier) { return static_cast<uint16_t>(1u << static_cast<unsigned>(tier)); }

TEST(TierText, NamesAllThatWereMet) {
  EXPECT_EQ(tiers_text(0), "");
  EXPECT_EQ(tiers_text(bit(wire::Tier::kTier1)), "tier-1");
  EXPECT_EQ(tiers_text(bit(wire::Tier::kTier0) | bit(wire::Tier::kOsr) | bit(wire::Tier::kReadyToRun)),
            "tier-0, OSR, ready-to-run");
  EXPECT_EQ(tiers_text(bit(wire::Tier::kTier0Instrumented)), "tier-0 instrumented");
  EXPECT_EQ(tiers_text(bit(wire::Tier::kPreJit)), "precompiled");
}

}  // namespace
}  // namespace walkabout::profile
