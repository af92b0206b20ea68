#include "il/stack_depth.h"

#include <gtest/gtest.h>

#include "il/test_body.h"

namespace walkabout::il {
namespace {

using namespace testing;

// Token 1: int (int, int) of an object; others: unknown.
std::optional<CallShape> shape_of(uint32_t token) {
  if (token != 1) return std::nullopt;
  return CallShape{2, true, true};
}

std::vector<uint32_t> depths_of(const Data& bytes) {
  std::vector<uint32_t> depths;
  EXPECT_EQ(find_stack_depths(body_of(bytes), shape_of, &depths), Cause::kNone);
  return depths;
}

TEST(StackDepth, CallsTakeTheirArguments) {
  // ldarg.0 ×3; call; pop; ret
  EXPECT_EQ(depths_of(tiny({0x02, 0x03, 0x04, 0x28, 1, 0, 0, 0, 0x26, 0x2a})),
            (std::vector<uint32_t>{0, 1, 2, 3, 1, 0}));
  // newobj has no object yet; calli has a function on top
  EXPECT_EQ(depths_of(tiny({0x02, 0x03, 0x73, 1, 0, 0, 0, 0x2a})), (std::vector<uint32_t>{0, 1, 2, 1}));
  EXPECT_EQ(depths_of(tiny({0x02, 0x02, 0x02, 0x02, 0x29, 1, 0, 0, 0, 0x2a})),
            (std::vector<uint32_t>{0, 1, 2, 3, 4, 1}));
}

TEST(StackDepth, ACallOfNothingKnownIsNone) {
  std::vector<uint32_t> depths;
  EXPECT_EQ(find_stack_depths(body_of(tiny({0x28, 9, 0, 0, 0, 0x2a})), shape_of, &depths), Cause::kSignature);
}

TEST(StackDepth, GoesAlongBranches) {
  // ldc.0; ldc.1; brtrue.s to the second ldc.2; br.s to ret; pop; ldc.2; ret
  EXPECT_EQ(depths_of(tiny({0x16, 0x17, 0x2d, 3, 0x2b, 2, 0x26, 0x18, 0x2a})),
            (std::vector<uint32_t>{0, 1, 2, 1, 0, 1, 1}))
      << "behind an unconditional branch nothing is known but what led there";
}

TEST(StackDepth, HandlersBeginWithTheException) {
  // try { nop; leave.s } catch { pop; leave.s } ret
  const Data code = {0x00, 0xde, 3, 0x26, 0xde, 0, 0x2a};
  EXPECT_EQ(depths_of(with_small(code, small_clause(0, {0, 3}, {3, 3}, 0x01000001))),
            (std::vector<uint32_t>{0, 0, 1, 0, 0}));
}

TEST(StackDepth, TakesNoMoreThanThereIs) {
  EXPECT_EQ(depths_of(tiny({0x26, 0x26, 0x2a})), (std::vector<uint32_t>{0, 0, 0}));
}

}  // namespace
}  // namespace walkabout::il
