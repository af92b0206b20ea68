#include "agent/core/jit_unwind.h"

#include <gtest/gtest.h>

#include "agent/core/fake_code_heap.h"

namespace walkabout::agent {
namespace {

using CodeHeap = testing::FakeCodeHeap;

bool opens(const CodeHeap& heap) {
  return JitUnwindReader().open(heap.start(), CodeHeap::kSize, CodeHeap::kMethod);
}

TEST(JitUnwind, ReadsTheMethodAndItsFunclets) {
  const CodeHeap heap;
  JitUnwindReader reader;
  ASSERT_TRUE(reader.open(heap.start(), CodeHeap::kSize, CodeHeap::kMethod));
  ASSERT_EQ(reader.regions(), 2u);
  UnwindRegion region;
  ASSERT_TRUE(reader.region(0, &region));
  EXPECT_EQ(region.begin, heap.start());
  EXPECT_EQ(region.size, CodeHeap::kMainSize);
  EXPECT_EQ(region.info_size, 8u);
  EXPECT_EQ(region.info[7], 0x50);
  ASSERT_TRUE(reader.region(1, &region));
  EXPECT_EQ(region.begin, heap.start() + CodeHeap::kMainSize);
  EXPECT_EQ(region.size, CodeHeap::kFuncletSize);
  EXPECT_EQ(region.info_size, 6u);
}

// More than are read with the header at once.
TEST(JitUnwind, ReadsEachOfManyFunclets) {
  constexpr uint32_t kMany = 40, kEach = 2;
  CodeHeap heap;
  heap.set(CodeHeap::kCount, kMany + 1);
  for (uint32_t i = 0; i < kMany; ++i) {
    const uint32_t begin = CodeHeap::kCode + i * kEach,
                   info = i % 2 == 0 ? CodeHeap::kInfos : CodeHeap::kInfos + 0x200;
    heap.set(CodeHeap::kTable + 12 * i, unwind::RuntimeFunction{begin, begin + kEach, info});
  }
  heap.set(CodeHeap::kInfos + 0x200, uint32_t{1});  // no codes
  JitUnwindReader reader;
  ASSERT_TRUE(reader.open(heap.start(), CodeHeap::kSize, CodeHeap::kMethod));
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
  const CodeHeap heap;
  EXPECT_FALSE(JitUnwindReader().open(heap.start(), CodeHeap::kSize, CodeHeap::kMethod + 8))
      << "another method's";
  EXPECT_FALSE(JitUnwindReader().open(heap.start() + 8, CodeHeap::kSize, CodeHeap::kMethod))
      << "no header there";
  EXPECT_FALSE(JitUnwindReader().open(heap.start(), CodeHeap::kMainSize - 1, CodeHeap::kMethod))
      << "longer than the event has it";
  EXPECT_FALSE(JitUnwindReader().open(0, CodeHeap::kSize, CodeHeap::kMethod));
  EXPECT_FALSE(JitUnwindReader().open(heap.address(CodeHeap::kPage), CodeHeap::kSize, CodeHeap::kMethod))
      << "unreadable";
}

TEST(JitUnwind, EachWrongFieldIsRefused) {
  for (const uint64_t pointer : {uint64_t{0}, uint64_t{1} << 50}) {
    CodeHeap heap;
    heap.set(CodeHeap::kCode - 8, pointer);
    EXPECT_FALSE(opens(heap)) << pointer;
  }
  CodeHeap odd;
  odd.set(CodeHeap::kCode - 8, odd.address(CodeHeap::kHeader + 4));
  EXPECT_FALSE(opens(odd)) << "not aligned";
  CodeHeap edge;
  edge.set(CodeHeap::kCode - 8, edge.address(CodeHeap::kPage - 16));
  EXPECT_FALSE(opens(edge)) << "the header reaches into memory that cannot be read";
  for (const uint32_t count : {0u, 4097u, ~0u}) {
    CodeHeap heap;
    heap.set(CodeHeap::kCount, count);
    EXPECT_FALSE(opens(heap)) << count;
  }
  using unwind::RuntimeFunction;
  for (const RuntimeFunction& first :
       {RuntimeFunction{CodeHeap::kCode, CodeHeap::kCode, 0},
        RuntimeFunction{CodeHeap::kCode, CodeHeap::kCode - 1, 0},
        RuntimeFunction{CodeHeap::kCode, CodeHeap::kCode + CodeHeap::kSize + 1, 0}}) {
    CodeHeap heap;
    heap.set(CodeHeap::kTable, first);
    EXPECT_FALSE(opens(heap)) << first.end;
  }
}

TEST(JitUnwind, ARegionOutsideItsMethodOrWithoutValidCodesIsRefused) {
  using unwind::RuntimeFunction;
  const auto second = [](const RuntimeFunction& f) {
    CodeHeap heap;
    heap.set(CodeHeap::kTable + 12, f);
    JitUnwindReader reader;
    UnwindRegion region;
    return reader.open(heap.start(), CodeHeap::kSize, CodeHeap::kMethod) && reader.region(1, &region);
  };
  constexpr uint32_t kBegin = CodeHeap::kCode + CodeHeap::kMainSize, kEnd = CodeHeap::kCode + CodeHeap::kSize;
  ASSERT_TRUE(second({kBegin, kEnd, CodeHeap::kInfos + 16}));
  EXPECT_FALSE(second({kBegin, kEnd + 1, CodeHeap::kInfos + 16}));
  EXPECT_FALSE(second({kEnd, kEnd + 1, CodeHeap::kInfos + 16}));
  EXPECT_FALSE(second({CodeHeap::kCode - 1, kEnd, CodeHeap::kInfos + 16}));
  EXPECT_FALSE(second({kBegin, kBegin, CodeHeap::kInfos + 16}));
  EXPECT_FALSE(second({kBegin, kEnd, CodeHeap::kPage - 2})) << "its codes cannot be read";
  EXPECT_FALSE(second({kBegin, kEnd, CodeHeap::kCode})) << "no UNWIND_INFO";
  EXPECT_FALSE(second({kBegin, kEnd, 0xffff'fff0}));
}

TEST(JitUnwind, CodesThatReachIntoUnreadableMemoryAreRefused) {
  CodeHeap heap;
  heap.set<uint32_t>(CodeHeap::kPage - 4, 0x00ff'0001);  // 255 codes
  heap.set(CodeHeap::kTable + 12,
           unwind::RuntimeFunction{CodeHeap::kCode + CodeHeap::kMainSize, CodeHeap::kCode + CodeHeap::kSize,
                                   CodeHeap::kPage - 4});
  JitUnwindReader reader;
  UnwindRegion region;
  ASSERT_TRUE(reader.open(heap.start(), CodeHeap::kSize, CodeHeap::kMethod));
  EXPECT_FALSE(reader.region(1, &region));
}

TEST(JitUnwind, AnUnreportedMethodIsGuessed) {
  CodeHeap heap;
  uint64_t method = 0;
  JitUnwindReader reader;
  ASSERT_TRUE(reader.guess(heap.start(), &method));
  EXPECT_EQ(method, CodeHeap::kMethod);
  EXPECT_EQ(reader.regions(), 2u);
  EXPECT_FALSE(JitUnwindReader().guess(heap.start() + 16, &method)) << "in the middle of it";
  EXPECT_FALSE(JitUnwindReader().guess(heap.address(CodeHeap::kPage), &method)) << "unreadable";
  EXPECT_FALSE(JitUnwindReader().guess(0, &method));
  heap.set<uint64_t>(CodeHeap::kHeader + 24, 0);
  EXPECT_FALSE(JitUnwindReader().guess(heap.start(), &method)) << "a stub: no method";
}

}  // namespace
}  // namespace walkabout::agent
