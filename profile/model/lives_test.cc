#include "profile/model/lives.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace walkabout::profile {
namespace {

wire::Sweep sweep(uint64_t time_us, std::vector<uint64_t> gone, uint64_t begun, uint64_t ended,
                  uint64_t full_begun = 0, uint64_t full_ended = 0, uint32_t halvings = 0) {
  return {time_us, std::move(gone), halvings, begun, ended, full_begun, full_ended};
}

TEST(Lives, AnObjectIsThereUntilASweepSaysOtherwise) {
  Lives at_the_end, before(200);
  for (Lives* lives : {&at_the_end, &before}) {
    lives->add(sweep(100, {1, 3}, 0, 0));
    lives->add(sweep(200, {2}, 0, 0));
  }
  EXPECT_TRUE(at_the_end.is_gone(1));
  EXPECT_TRUE(at_the_end.is_gone(2));
  EXPECT_TRUE(at_the_end.is_gone(3));
  EXPECT_FALSE(at_the_end.is_gone(4));
  EXPECT_FALSE(at_the_end.is_gone(uint64_t{1} << 60));
  EXPECT_FALSE(before.is_gone(2)) << "it was there at that moment";
  EXPECT_TRUE(before.is_gone(3));
}

TEST(Lives, HalvingsCountForWhatWasThereBefore) {
  Lives lives;
  lives.add(sweep(100, {}, 0, 0, 0, 0, 1));
  lives.add(sweep(200, {}, 0, 0, 0, 0, 2));
  EXPECT_EQ(lives.halvings(50), 3u);
  EXPECT_EQ(lives.halvings(150), 2u);
  EXPECT_EQ(lives.halvings(250), 0u);
}

// A collection that was under way when the object came may have left it alone.
TEST(Lives, ASurvivedCollectionBeganBehindTheObject) {
  Lives lives;
  lives.add(sweep(100, {}, 3, 2, 1, 0));  // the third is under way
  lives.add(sweep(200, {}, 3, 3, 1, 1));
  lives.add(sweep(300, {}, 4, 4, 1, 1));
  EXPECT_EQ(lives.survived(350), Survived::kNothing) << "no sweep knows it";
  EXPECT_EQ(lives.survived(250), Survived::kNothing);
  EXPECT_EQ(lives.survived(150), Survived::kCollection);
  EXPECT_EQ(lives.survived(50), Survived::kCollection) << "the full one had begun";
  lives.add(sweep(400, {}, 5, 5, 2, 2));
  EXPECT_EQ(lives.survived(50), Survived::kFullCollection);
  EXPECT_EQ(lives.survived(350), Survived::kNothing);
}

}  // namespace
}  // namespace walkabout::profile
