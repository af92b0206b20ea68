#include "cli/linux/stop_timeout.h"

#include <gtest/gtest.h>

namespace walkabout::cli {
namespace {

constexpr StopTimeout kTimeout{100, 1000};

TEST(StopTimeout, IsOverAfterSilence) {
  EXPECT_FALSE(kTimeout.is_over(600, 500, 0));
  EXPECT_TRUE(kTimeout.is_over(601, 500, 0));
  EXPECT_TRUE(kTimeout.is_over(601, 500, 499)) << "what came before it was asked";
}

TEST(StopTimeout, WaitsWhileRecordsCome) {
  EXPECT_FALSE(kTimeout.is_over(1300, 500, 1250));
  EXPECT_TRUE(kTimeout.is_over(1351, 500, 1250));
}

TEST(StopTimeout, HasAnEnd) { EXPECT_TRUE(kTimeout.is_over(1501, 500, 1501)); }

TEST(StopTimeout, HasNotBegunBeforeItIsRequested) { EXPECT_FALSE(kTimeout.is_over(10, 500, 0)); }

}  // namespace
}  // namespace walkabout::cli
