#include "unwind/code/jit_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

namespace walkabout::unwind {
namespace {

class JitMapTest : public ::testing::Test {
 protected:
  bool publish(uint64_t begin, uint32_t size, uint32_t code, uint64_t method_start = 0) {
    JitRegion region;
    region.begin = begin;
    region.method_start = method_start != 0 ? method_start : begin;
    region.size = size;
    region.code = code;
    return map_.publish(region);
  }
  // The code at pc; 0: none.
  uint32_t code_at(uint64_t pc) {
    const ReaderGate::Reader inside(gate_);
    const JitRegion* region = map_.find(pc);
    return region != nullptr ? region->code.load() : 0;
  }

  ReaderGate gate_;
  JitMap map_{gate_};
};

TEST_F(JitMapTest, FoundAsSoonAsPublishedAndAfterEveryMerge) {
  for (uint32_t i = 0; i < 1000; ++i) {  // the tail overflows several times
    const uint64_t begin = 0x10000 + (i * 7919 % 1000) * 0x100;
    EXPECT_FALSE(publish(begin, 0x80, i + 1));
    ASSERT_EQ(code_at(begin), i + 1);
    ASSERT_EQ(code_at(begin + 0x7f), i + 1);
    ASSERT_EQ(code_at(begin + 0x80), 0u);
  }
  map_.maintain();
  EXPECT_EQ(map_.size(), 1000u);
  for (uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(code_at(0x10000 + (i * 7919 % 1000) * 0x100 + 5), i + 1);
  EXPECT_EQ(code_at(0xffff), 0u);
  EXPECT_EQ(code_at(0), 0u);
  EXPECT_EQ(code_at(~uint64_t{0}), 0u);
}

TEST_F(JitMapTest, RetiringAMethodTakesAllItsRegionsAndNoOthers) {
  for (const bool merged : {false, true}) {
    publish(0x1000, 0x100, 1);
    publish(0x1100, 0x20, 1, 0x1000);
    publish(0x1120, 0x20, 1, 0x1000);
    publish(0x2000, 0x100, 2);
    if (merged) map_.maintain();
    EXPECT_TRUE(map_.retire(0x1000));
    for (const uint64_t pc : {0x1000, 0x1100, 0x1120}) EXPECT_EQ(code_at(pc), 0u);
    EXPECT_EQ(code_at(0x2000), 2u);
    EXPECT_FALSE(map_.retire(0x1800)) << "no method begins there";
    map_.maintain();
  }
}

TEST_F(JitMapTest, CodePublishedOverOldCodeTakesItsPlace) {
  for (const bool merged : {false, true}) {
    publish(0x1000, 0x100, 1);
    publish(0x3000, 0x100, 3);
    if (merged) map_.maintain();
    EXPECT_TRUE(publish(0x1080, 0x200, 2));
    EXPECT_EQ(code_at(0x1000), 0u) << "its memory is used for something else";
    EXPECT_EQ(code_at(0x1080), 2u);
    EXPECT_EQ(code_at(0x3000), 3u);
    EXPECT_TRUE(publish(0x1080, 0x200, 4)) << "the same place again";
    EXPECT_EQ(code_at(0x1080), 4u);
    map_.retire(0x1080);
    EXPECT_FALSE(publish(0x1000, 0x100, 5)) << "nothing lives there";
    map_.retire(0x1000);
  }
}

TEST_F(JitMapTest, CodeOverOneRegionRetiresTheWholeMethod) {
  publish(0x1000, 0x100, 1);
  publish(0x1100, 0x100, 1, 0x1000);
  map_.maintain();
  EXPECT_TRUE(publish(0x1180, 0x200, 2));
  EXPECT_EQ(code_at(0x1000), 0u) << "a method's regions are unloaded together";
  EXPECT_EQ(code_at(0x1200), 2u);
}

TEST_F(JitMapTest, ARegionKeepsWhatWasReportedOfIt) {
  static constexpr uint8_t kInfo[] = {1, 0, 0, 0};
  JitRegion region;
  region.begin = 0x1040;
  region.method_start = 0x1000;
  region.size = 0x20;
  region.code = 9;
  region.unwind = kInfo;
  region.unwind_size = sizeof kInfo;
  map_.publish(region);
  for (int merged = 0; merged < 2; ++merged) {
    const ReaderGate::Reader inside(gate_);
    const JitRegion* found = map_.find(0x1050);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->method_start, 0x1000u);
    EXPECT_EQ(found->end(), 0x1060u);
    EXPECT_EQ(found->unwind, kInfo);
    EXPECT_EQ(found->unwind_size, sizeof kInfo);
    map_.maintain();
  }
}

TEST_F(JitMapTest, AgreesWithASimpleMapOverRandomHistories) {
  std::mt19937 random(5);
  std::map<uint64_t, std::pair<uint32_t, uint32_t>> model;  // begin → size, code
  for (uint32_t i = 1; i <= 6000; ++i) {
    const uint64_t begin = 0x1000 + random() % 4096 * 16;
    const uint32_t size = 16 * (1 + random() % 8);
    if (random() % 3 == 0 && !model.empty()) {
      const auto at = model.lower_bound(begin);
      const uint64_t method_start = at != model.end() ? at->first : model.begin()->first;
      EXPECT_TRUE(map_.retire(method_start));
      model.erase(method_start);
    } else {
      const bool over = std::erase_if(model, [&](const auto& m) {
                          return m.first < begin + size && m.first + m.second.first > begin;
                        }) != 0;
      ASSERT_EQ(publish(begin, size, i), over);
      model[begin] = {size, i};
    }
    if (random() % 50 == 0) map_.maintain();
    for (int n = 0; n < 4; ++n) {
      const uint64_t pc = 0x1000 + random() % (4096 * 16 + 200);
      auto at = model.upper_bound(pc);
      const bool known = at != model.begin() && pc < std::prev(at)->first + std::prev(at)->second.first;
      ASSERT_EQ(code_at(pc), known ? std::prev(at)->second.second : 0) << "step " << i;
    }
  }
}

TEST_F(JitMapTest, WhereTheNearestLiveRegionBelowEnds) {
  const auto end_below = [&](uint64_t pc) {
    const ReaderGate::Reader inside(gate_);
    return map_.end_below(pc);
  };
  EXPECT_EQ(end_below(0x5000), 0u);
  publish(0x1000, 0x10, 1);
  publish(0x2000, 0x10, 2);
  for (const bool merged : {false, true}) {
    if (merged) map_.maintain();
    EXPECT_EQ(end_below(0xfff), 0u);
    EXPECT_EQ(end_below(0x1010), 0x1010u);
    EXPECT_EQ(end_below(0x5000), 0x2010u);
  }
  publish(0x3000, 0x10, 3);
  EXPECT_EQ(end_below(0x5000), 0x3010u) << "the tail counts";
  map_.retire(0x3000);
  map_.retire(0x2000);
  EXPECT_EQ(end_below(0x5000), 0x1010u) << "what is gone does not";
}

TEST_F(JitMapTest, MaintainingErasesRetiredRegions) {
  for (uint32_t i = 0; i < 500; ++i) publish(0x1000 + i * 0x100, 0x100, i + 1);
  map_.maintain();
  for (uint32_t i = 0; i < 500; ++i) map_.retire(0x1000 + i * 0x100);
  publish(0x1000, 0x10, 501);
  map_.maintain();
  EXPECT_EQ(map_.size(), 1u);
}

TEST_F(JitMapTest, ReadersSeeAMethodWholeOrNotAtAll) {
  publish(0x100, 0x10, 1);
  std::atomic<bool> stop{false};
  std::atomic<int> looked{0};
  std::thread reader([&] {
    for (uint64_t i = 0; !stop.load(std::memory_order_relaxed); ++i) {
      ASSERT_EQ(code_at(0x108), 1u) << "what stays is always found";
      const ReaderGate::Reader inside(gate_);
      if (const JitRegion* p = map_.find(0x10000 + i % 400 * 0x100); p != nullptr) {
        ASSERT_EQ(p->method_start, p->begin);
        ASSERT_EQ(p->size, 0x100u);
      }
      looked.fetch_add(1, std::memory_order_relaxed);
    }
  });
  for (uint32_t i = 0; i < 4000; ++i) {
    const uint64_t begin = 0x10000 + i % 400 * 0x100;
    if (i % 3 == 0)
      map_.retire(begin);
    else
      publish(begin, 0x100, i + 2);
    if (i % 64 == 0) map_.maintain();
  }
  while (looked.load() == 0) std::this_thread::yield();
  stop = true;
  reader.join();
}

}  // namespace
}  // namespace walkabout::unwind
