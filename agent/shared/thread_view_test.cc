#include "agent/shared/thread_view.h"

#include <gtest/gtest.h>

#include <memory>

namespace walkabout::agent {
namespace {

// Broken by the frames of both lanes: a stack would have as many as the events' stacks make of them.
TEST(SlotTotals, FramesAreThoseOfTheTicks) {
  const auto slot = std::make_unique<wire::SlotHeader>();
  slot->ticks().frames = 30;
  slot->lane(wire::Lane::kCallback).frames = 500;
  slot->ticks().accounts[0].attempts = 3;
  slot->lane(wire::Lane::kCallback).accounts[1].attempts = 5;
  SlotTotals totals;
  totals.add(*slot);
  EXPECT_EQ(totals.frames, 30u);
  EXPECT_EQ(totals.sources[0].attempts, 3u);
  EXPECT_EQ(totals.sources[1].attempts, 5u);
}

}  // namespace
}  // namespace walkabout::agent
