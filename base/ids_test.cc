#include "base/ids.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace walkabout::base {
namespace {

static_assert(!std::is_convertible_v<ThreadId, StackId>, "one kind of id is no other");
static_assert(!std::is_convertible_v<uint32_t, CodeId>, "no number becomes an id by accident");

TEST(Ids, ZeroIsNone) {
  EXPECT_FALSE(CodeId().valid());
  EXPECT_TRUE(CodeId(1).valid());
}

TEST(Ids, CompareAndHashByValue) {
  EXPECT_EQ(CodeId(3), CodeId(3));
  EXPECT_LT(CodeId(3), CodeId(4));
  const std::unordered_set<StackId> set = {StackId(1), StackId(2), StackId(1)};
  EXPECT_EQ(set.size(), 2u);
}

}  // namespace
}  // namespace walkabout::base
