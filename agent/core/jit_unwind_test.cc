#include "agent/core/jit_unwind.h"

#include <gtest/gtest.h>

#include "agent/core/fake_code_heap.h"

namespace walkabout::agent {
namespace {

using Heap = testing::FakeCodeHeap;

bool opens(const Heap& heap) { return JitUnwindReader().open(heap.start(), Heap::kSize, Heap::kMethod); }

TEST(JitUnwind, ReadsTheMethodAndItsFunclets) {
  const Heap heap;
  JitUnwindReader reader;
  ASSERT_TRUE(reader.open(heap.start(), Heap::kSize, Heap::kMethod));
  ASSERT_EQ(reader.regions(), 2u);
  UnwindRegion region;
  ASSERT_TRUE(reader.region(0, &region));
  EXPECT_EQ(region.begin, heap.start());
  EXPECT_EQ(region.size, Heap::kMainSize);
  EXPECT_EQ(region.info_size, 8u);
  EXPECT_EQ(region.info[7], 0x50);
  ASSERT_TRUE(reader.region(1, &region));
  EXPECT_EQ(region.begin, heap.start() + Heap::kMainSize);
  EXPECT_EQ(region.size, Heap::kFuncletSize);
  EXPECT_EQ(region.info_size, 6u);
}

// More than are read with the header at once.
TEST(JitUnwind, ReadsEachOfManyFunclets) {
  constexpr uint32_t kMany = 40, kEach = 2;
  Heap heap;
  heap.set(Heap::kCount, kMany + 1);
  for (uint32_t i = 0; i < kMany; ++i) {
    const uint32_t begin = Heap::kCode + i * kEach, info = i % 2 == 0 ? Heap::kInfos : Heap::kInfos + 0x200;
    heap.set(Heap::kTable + 12 * i, unwind::RuntimeFunction{begin, begin + kEach, info});
  }
  heap.set(Heap::kInfos + 0x200, uint32_t{1});  // no codes
  JitUnwindReader reader;
  ASSERT_TRUE(reader.open(heap.start(), Heap::kSize, Heap::kMethod));
  for (const uint32_t i : {39u, 0u, 1u, 20u, 38u}) {
    UnwindRegion region;
    ASSERT_TRUE(reader.region(i, &region)) << i;
    EXPECT_EQ(region.begin, heap.start() + i * kEach);
    EXPECT_EQ(region.size, kEach);
    EXPECT_EQ(region.info_size, i % 2 == 0 ? 8u : 4u) << i;
  }
  UnwindRegion region;
  EXPECT_FALSE(reader.region(kMany, &region)) << "nothing is there";
}

TEST(JitUnwind, AHeaderThatIsNotThatOfTheMethodIsRefused) {
  const Heap heap;
  EXPECT_FALSE(JitUnwindReader().open(heap.start(), Heap::kSize, Heap::kMethod + 8)) << "another method's";
  EXPECT_FALSE(JitUnwindReader().open(heap.start() + 8, Heap::kSize, Heap::kMethod)) << "no header there";
  EXPECT_FALSE(JitUnwindReader().open(heap.start(), Heap::kMainSize - 1, Heap::kMethod))
      << "longer than the event has it";
  EXPECT_FALSE(JitUnwindReader().open(0, Heap::kSize, Heap::kMethod));
  EXPECT_FALSE(JitUnwindReader().open(heap.address(Heap::kPage), Heap::kSize, Heap::kMethod)) << "unreadable";
}

TEST(JitUnwind, EachWrongFieldIsRefused) {
  for (const uint64_t pointer : {uint64_t{0}, uint64_t{1} << 50}) {
    Heap heap;
    heap.set(Heap::kCode - 8, pointer);
    EXPECT_FALSE(opens(heap)) << pointer;
  }
  Heap odd;
  odd.set(Heap::kCode - 8, odd.address(Heap::kHeader + 4));
  EXPECT_FALSE(opens(odd)) << "not aligned";
  Heap edge;
  edge.set(Heap::kCode - 8, edge.address(Heap::kPage - 16));
  EXPECT_FALSE(opens(edge)) << "the header reaches into memory that cannot be read";
  for (const uint32_t count : {0u, 4097u, ~0u}) {
    Heap heap;
    heap.set(Heap::kCount, count);
    EXPECT_FALSE(opens(heap)) << count;
  }
  using unwind::RuntimeFunction;
  for (const RuntimeFunction& first :
       {RuntimeFunction{Heap::kCode, Heap::kCode, 0}, RuntimeFunction{Heap::kCode, Heap::kCode - 1, 0},
        RuntimeFunction{Heap::kCode, Heap::kCode + Heap::kSize + 1, 0}}) {
    Heap heap;
    heap.set(Heap::kTable, first);
    EXPECT_FALSE(opens(heap)) << first.end;
  }
}

TEST(JitUnwind, ARegionOutsideItsMethodOrWithoutValidCodesIsRefused) {
  using unwind::RuntimeFunction;
  const auto second = [](const RuntimeFunction& f) {
    Heap heap;
    heap.set(Heap::kTable + 12, f);
    JitUnwindReader reader;
    UnwindRegion region;
    return reader.open(heap.start(), Heap::kSize, Heap::kMethod) && reader.region(1, &region);
  };
  constexpr uint32_t kBegin = Heap::kCode + Heap::kMainSize, kEnd = Heap::kCode + Heap::kSize;
  ASSERT_TRUE(second({kBegin, kEnd, Heap::kInfos + 16}));
  EXPECT_FALSE(second({kBegin, kEnd + 1, Heap::kInfos + 16}));
  EXPECT_FALSE(second({kEnd, kEnd + 1, Heap::kInfos + 16}));
  EXPECT_FALSE(second({Heap::kCode - 1, kEnd, Heap::kInfos + 16}));
  EXPECT_FALSE(second({kBegin, kBegin, Heap::kInfos + 16}));
  EXPECT_FALSE(second({kBegin, kEnd, Heap::kPage - 2})) << "its codes cannot be read";
  EXPECT_FALSE(second({kBegin, kEnd, Heap::kCode})) << "no UNWIND_INFO";
  EXPECT_FALSE(second({kBegin, kEnd, 0xffff'fff0}));
}

TEST(JitUnwind, CodesThatReachIntoUnreadableMemoryAreRefused) {
  Heap heap;
  heap.set<uint32_t>(Heap::kPage - 4, 0x00ff'0001);  // 255 codes
  heap.set(Heap::kTable + 12, unwind::RuntimeFunction{Heap::kCode + Heap::kMainSize,
                                                      Heap::kCode + Heap::kSize, Heap::kPage - 4});
  JitUnwindReader reader;
  UnwindRegion region;
  ASSERT_TRUE(reader.open(heap.start(), Heap::kSize, Heap::kMethod));
  EXPECT_FALSE(reader.region(1, &region));
}

TEST(JitUnwind, AnUnreportedMethodIsGuessed) {
  Heap heap;
  uint64_t method = 0;
  JitUnwindReader reader;
  ASSERT_TRUE(reader.guess(heap.start(), &method));
  EXPECT_EQ(method, Heap::kMethod);
  EXPECT_EQ(reader.regions(), 2u);
  EXPECT_FALSE(JitUnwindReader().guess(heap.start() + 16, &method)) << "in the middle of it";
  EXPECT_FALSE(JitUnwindReader().guess(heap.address(Heap::kPage), &method)) << "unreadable";
  EXPECT_FALSE(JitUnwindReader().guess(0, &method));
  heap.set<uint64_t>(Heap::kHeader + 24, 0);
  EXPECT_FALSE(JitUnwindReader().guess(heap.start(), &method)) << "a stub: no method";
}

}  // namespace
}  // namespace walkabout::agent
