#include "agent/linux/heap_map.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "agent/linux/handler/self_memory.h"
#include "clr/abi/null_info.h"

namespace walkabout::agent {
namespace {

using clr::COR_PRF_GC_GENERATION_RANGE;

constexpr uint64_t kPage = 4096;

struct FakeInfo : clr::NullICorProfilerInfo15 {
  clr::HRESULT GetGenerationBounds(uint32_t capacity, uint32_t* count,
                                   COR_PRF_GC_GENERATION_RANGE* to) override {
    if (ranges.empty()) return clr::E_FAIL;
    *count = static_cast<uint32_t>(ranges.size());
    std::copy_n(ranges.begin(), std::min<size_t>(capacity, ranges.size()), to);
    return clr::S_OK;
  }
  std::vector<COR_PRF_GC_GENERATION_RANGE> ranges;
};

// Pages of which the first ones can be read.
struct HeapMapTest : ::testing::Test {
  static constexpr uint64_t kPages = 64;

  HeapMapTest() {
    memory = reinterpret_cast<uint64_t>(
        ::mmap(nullptr, kPages * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    young = {clr::COR_PRF_GC_GEN_0, memory, kPage, 16 * kPage};
    old = {clr::COR_PRF_GC_GEN_2, memory + 32 * kPage, kPage, 16 * kPage};
    info.ranges = {old, young};
  }
  ~HeapMapTest() override { ::munmap(reinterpret_cast<void*>(memory), kPages * kPage); }
  void commit(uint64_t pages) {
    ::mprotect(reinterpret_cast<void*>(memory), pages * kPage, PROT_READ | PROT_WRITE);
    ::mprotect(reinterpret_cast<void*>(memory + pages * kPage), (kPages - pages) * kPage, PROT_NONE);
  }
  void collect() {
    gate.close([] {});
    map.all_stand();
    map.started();
    map.finished();
    map.resumes();
    gate.open();
  }
  bool is_plain(uint64_t address) const {
    const unwind::HeapView view = map.tables().view();
    const unwind::HeapRegion* region = view.regions == nullptr ? nullptr : view.regions->find(address);
    return region != nullptr && view.regions->may_load(*region, address, 8);
  }
  uint64_t page(uint64_t number) const { return memory + number * kPage; }

  uint64_t memory = 0;
  COR_PRF_GC_GENERATION_RANGE young{}, old{};
  FakeInfo info;
  HeapGate gate;
  HeapMap map{&info, gate};
};

TEST_F(HeapMapTest, WhatHoldsObjectsIsPlain) {
  collect();
  EXPECT_TRUE(is_plain(page(0)));
  EXPECT_FALSE(is_plain(page(1)));
  EXPECT_TRUE(is_plain(page(32)));
  EXPECT_FALSE(is_plain(page(33)));
  EXPECT_EQ(map.tables().view().range.lo, page(0));
  EXPECT_EQ(map.tables().view().range.hi, page(48));
}

TEST_F(HeapMapTest, OfOneHeapWhatIsInUseBeyondTheObjectsIsPlain) {
  commit(16);
  collect();
  EXPECT_FALSE(is_plain(page(1)));
  map.collected_by_program();
  collect();
  EXPECT_TRUE(is_plain(page(15)));
  EXPECT_FALSE(is_plain(page(33)));
}

TEST_F(HeapMapTest, WhatWasGivenBackIsNotPlain) {
  map.collected_by_program();
  commit(16);
  collect();
  commit(4);
  collect();
  EXPECT_FALSE(is_plain(page(4)));
  EXPECT_TRUE(is_plain(page(0)));
}

TEST_F(HeapMapTest, AsMuchAsWasInUseIsAskedForAgain) {
  map.collected_by_program();
  commit(4);
  collect();
  EXPECT_FALSE(is_plain(page(3)));
  map.tables().view().regions->was_read(page(3));
  EXPECT_TRUE(is_plain(page(3)));
  collect();
  EXPECT_TRUE(is_plain(page(3)));
  EXPECT_FALSE(is_plain(page(4)));
}

TEST_F(HeapMapTest, OneThatCannotBeReadHidesNoOther) {
  map.collected_by_program();
  info.ranges.clear();
  for (uint64_t i = 0; i < 20; ++i) info.ranges.push_back({clr::COR_PRF_GC_GEN_1, page(2 * i), 8, 2 * kPage});
  commit(kPages);
  ::mprotect(reinterpret_cast<void*>(page(7)), kPage, PROT_NONE);
  ::mprotect(reinterpret_cast<void*>(page(39)), kPage, PROT_NONE);
  collect();
  for (uint64_t i = 0; i < 20; ++i) EXPECT_EQ(is_plain(page(2 * i + 1)), i != 3 && i != 19) << i;
}

TEST_F(HeapMapTest, OldRegionsMayGoInTheBackground) {
  gate.close([] {});
  map.all_stand();
  map.started();
  map.resumes();
  gate.open();
  EXPECT_FALSE(is_plain(page(32)));
  EXPECT_TRUE(is_plain(page(0)));
  map.finished();
  EXPECT_FALSE(is_plain(page(32)));
  map.refresh();
  EXPECT_TRUE(is_plain(page(32)));
}

TEST_F(HeapMapTest, RangesThatOverlapEndWhereTheNextBegins) {
  young.rangeLengthReserved = 48 * kPage;
  info.ranges = {young, old};
  collect();
  const unwind::HeapView view = map.tables().view();
  EXPECT_EQ(view.regions->find(page(32))->begin, page(32));
  EXPECT_EQ(view.regions->find(page(31))->begin, page(0));
}

TEST_F(HeapMapTest, ARuntimeThatDoesNotSayLeavesAllUnknown) {
  info.ranges.clear();
  collect();
  EXPECT_EQ(map.tables().view().regions, nullptr);
}

TEST_F(HeapMapTest, CountsWhatCanBeRead) {
  commit(2);
  EXPECT_EQ(count_readable(std::vector<uint64_t>{page(0), page(1) + 5, page(2), page(0)}), 2u);
  EXPECT_EQ(count_readable(std::vector<uint64_t>{page(2)}), 0u);
  EXPECT_EQ(count_readable({}), 0u);
}

}  // namespace
}  // namespace walkabout::agent
