#include "clr/names/il_size.h"

#include <gtest/gtest.h>

#include <vector>

#include "clr/names/fake_metadata.h"

namespace walkabout::clr {
namespace {

using Body = std::vector<uint8_t>;

TEST(IlSize, OfBodies) {
  EXPECT_EQ(il_size(Body{5 << 2 | 2, 0, 0, 0, 0, 0x2a}), 5u);
  EXPECT_EQ(il_size(Body{0x13, 0x30, 8, 0, 0x34, 0x12, 0, 0, 0, 0, 0, 0x11}), 0x1234u);
  EXPECT_EQ(il_size(Body{0x13, 0x30, 8, 0, 0x34}), 0u) << "cut";
  EXPECT_EQ(il_size(Body{0}), 0u);
  EXPECT_EQ(il_size(Body{}), 0u);
}

TEST(IlSize, OfFunctions) {
  FakeClr clr;
  clr.functions = {{8, {0, 1, 0x06000001, {}}}, {16, {0, 1, 0x06000002, {}}}};
  clr.bodies = {{0x06000001, {7 << 2 | 2}}};
  EXPECT_EQ(il_size(clr, 8), 7u);
  EXPECT_EQ(il_size(clr, 16), 0u);
  EXPECT_EQ(il_size(clr, 24), 0u);
}

}  // namespace
}  // namespace walkabout::clr
