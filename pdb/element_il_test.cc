// Elements that a loop takes one after the other, and reads that only look like it.
#include "pdb/element_il.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::pdb {
namespace {

using Body = std::vector<uint8_t>;

constexpr uint8_t kBlt = 0x32;

// ldc.i4.0, stloc.1, then a loop: `read` at 2, `rest`, and ldloc.1, ldc.i4.5, blt.s to 2.
Body walking(const Body& read, const Body& rest) {
  Body il{0x16, 0x0b};
  il.insert(il.end(), read.begin(), read.end());
  il.insert(il.end(), rest.begin(), rest.end());
  il.insert(il.end(), {0x07, 0x1b, kBlt});
  il.push_back(static_cast<uint8_t>(2 - static_cast<int>(il.size()) - 1));
  return il;
}
bool is_next(const Body& il, size_t begin, size_t end) {
  return ElementReads(il, loops_of(il)).is_next(begin, end);
}

const Body kRead{0x06, 0x07, 0x99, 0x0c};   // ldloc.0, ldloc.1, ldelem.r8, stloc.2
const Body kCount{0x07, 0x17, 0x58, 0x0b};  // ldloc.1, ldc.i4.1, add, stloc.1

Body with(Body first, const Body& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(ElementIl, AForeachTakesAnArraysNextElement) {
  EXPECT_TRUE(is_next(walking(kRead, kCount), 2, 6));
  EXPECT_TRUE(is_next(walking({0x06, 0x07, 0x90}, with({0x26}, kCount)), 2, 5)) << "it stays on the stack";
  EXPECT_TRUE(is_next(walking({0x02, 0x07, 0x9a, 0x0c}, kCount), 2, 6)) << "ldarg.0, ldloc.1, ldelem.ref";
}

TEST(ElementIl, AnyOtherIndexMayBeAnywhere) {
  EXPECT_FALSE(is_next(walking(kRead, {0x07, 0x18, 0x58, 0x0b}), 2, 6)) << "it is counted up by two";
  EXPECT_FALSE(is_next(walking(kRead, {0x08, 0x17, 0x58, 0x0b}), 2, 6)) << "it is another plus one";
  EXPECT_FALSE(is_next(walking(kRead, {0x07, 0x17, 0x59, 0x0b}), 2, 6)) << "sub";
  EXPECT_FALSE(is_next(walking(kRead, {}), 2, 6)) << "it stays";
  EXPECT_FALSE(is_next(walking(kRead, with(kCount, {0x16, 0x0b})), 2, 6)) << "it is set too";
  EXPECT_FALSE(is_next(walking(kRead, with(kCount, {0x12, 1, 0x26})), 2, 6))
      << "ldloca.s: anybody may set it";
  EXPECT_FALSE(is_next(walking(kRead, with({0x06, 0x0a}, kCount)), 2, 6))
      << "another array each time: stloc.0";
}

TEST(ElementIl, AnotherStatementIsNone) {
  const Body il = walking(kRead, kCount);
  EXPECT_FALSE(is_next(il, 2, 7)) << "it does more";
  EXPECT_FALSE(is_next(il, 2, 4));
  EXPECT_FALSE(is_next(il, 3, 6));
  EXPECT_FALSE(is_next(il, 6, 10));
  EXPECT_FALSE(is_next(il, 100, 104));
  EXPECT_FALSE(is_next({0x06, 0x07, 0x99, 0x0c}, 0, 4)) << "in no loop";
  EXPECT_FALSE(is_next(walking({0x06, 0x07, 0xa3, 1, 0, 0, 2, 0x0c}, kCount), 2, 10)) << "ldelem: any size";
}

// for (;; i++) { for (k…; k++) { a[i] } }: the inner loop does not count i.
TEST(ElementIl, TheInnermostLoopCounts) {
  const Body inner = walking(kRead, {0x09, 0x17, 0x58, 0x0d});
  const Body il =
      with(inner, with(kCount, {0x2b, static_cast<uint8_t>(-static_cast<int>(inner.size()) - 6)}));
  EXPECT_EQ(loops_of(il).size(), 2u);
  EXPECT_FALSE(is_next(il, 2, 6));
}

TEST(ElementIl, HostileBodiesAreBounded) {
  Body il = walking(kRead, kCount);
  ElementReads reads(il, std::vector<Loop>(kMostLoops, {0, static_cast<uint32_t>(il.size())}));
  size_t asked = 0;
  while (asked < 1'000'000 && reads.is_next(2, 6)) ++asked;
  EXPECT_LT(asked, ElementReads::kMostSteps / kMostLoops + 1);
  EXPECT_FALSE(ElementReads(il, {{0, UINT32_MAX}}).is_next(2, 6)) << "its end is not there";
}

}  // namespace
}  // namespace walkabout::pdb
