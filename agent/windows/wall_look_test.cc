#include "agent/windows/wall_look.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

constexpr base::ThreadId kThread(7);

TEST(WallLook, ASampleStandsForTheTimeSinceTheOneBefore) {
  WallLook look;
  look.of(kThread, 100, 0);
  EXPECT_FALSE(look.is_due(149, 50));
  EXPECT_TRUE(look.is_due(150, 50));
  EXPECT_EQ(look.take(170), 70u);
  EXPECT_FALSE(look.is_due(219, 50));
  EXPECT_TRUE(look.is_due(220, 50));
  EXPECT_EQ(look.take(220), 50u);
}

// A thread that was seen after it was looked at would have a time without end.
TEST(WallLook, NoTimeIsCountedBeforeTheThreadsBegin) {
  WallLook look;
  look.of(kThread, 100, 0);
  EXPECT_EQ(look.take(90), 0u);
  EXPECT_EQ(look.take(110), 10u);
}

TEST(WallLook, AnotherThreadInTheSlotBeginsAnew) {
  WallLook look;
  look.of(kThread, 100, 50);
  look.of(kThread, 200, 60);
  EXPECT_EQ(look.take(150), 50u) << "the same thread";
  look.of(base::ThreadId(8), 300, 5);
  EXPECT_EQ(look.take(310), 10u);
  EXPECT_FALSE(look.ran(5));
}

TEST(WallLook, AThreadRanWhereItsCpuTimeHasMoved) {
  WallLook look;
  look.of(kThread, 100, 5);
  EXPECT_FALSE(look.ran(5));
  EXPECT_TRUE(look.ran(6));
  EXPECT_FALSE(look.ran(6));
}

}  // namespace
}  // namespace walkabout::agent
