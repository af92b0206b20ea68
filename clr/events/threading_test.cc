#include "clr/events/threading.h"

#include <gtest/gtest.h>

#include "clr/events/test_payload.h"

namespace walkabout::clr {
namespace {

using testing::Payload;
using testing::put;

TEST(Threading, AWorkersEventSaysHowManyThereAre) {
  Payload payload;
  put<uint32_t>(payload, 5);
  put<uint32_t>(payload, 0);
  uint32_t workers = 0;
  ASSERT_TRUE(parse_workers(payload, kWorkerStarted, &workers));
  EXPECT_EQ(workers, 5u);
  EXPECT_FALSE(parse_workers({}, kWorkerStarted, &workers));
}

TEST(Threading, AnAdjustmentSaysWhy) {
  Payload payload;
  put<double>(payload, 1.5);
  put<uint32_t>(payload, 12);
  put<uint32_t>(payload, 6);
  uint32_t workers = 0;
  ASSERT_TRUE(parse_workers(payload, kWorkersAdjusted, &workers));
  EXPECT_EQ(workers, 12u);
  EXPECT_EQ(adjustment_text(payload), u"pool adjusted: starvation");
  EXPECT_EQ(adjustment_text({}), u"pool adjusted");
}

}  // namespace
}  // namespace walkabout::clr
