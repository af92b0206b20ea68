#include "unwind/code/reader_gate.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace walkabout::unwind {
namespace {

TEST(ReaderGate, AnEmptyGateIsOverAtOnce) {
  ReaderGate gate;
  EXPECT_TRUE(ReaderGate::Grace(gate).over());
  ReaderGate::Grace again(gate);
  EXPECT_TRUE(again.over());
  EXPECT_TRUE(again.over()) << "and stays over";
}

TEST(ReaderGate, AReaderInsideHoldsItUpUntilItLeaves) {
  ReaderGate gate;
  std::optional<ReaderGate::Reader> reader(std::in_place, gate);
  ReaderGate::Grace grace(gate);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(grace.over());
  reader.reset();
  EXPECT_TRUE(grace.over());
}

TEST(ReaderGate, ReadersOnBothSidesHoldItUp) {
  ReaderGate gate;
  std::optional<ReaderGate::Reader> first(std::in_place, gate);
  ReaderGate::Grace early(gate);
  EXPECT_FALSE(early.over());  // readers go to the other side now
  std::optional<ReaderGate::Reader> second(std::in_place, gate);
  ReaderGate::Grace late(gate);
  first.reset();
  EXPECT_FALSE(late.over()) << "the second entered before it began";
  second.reset();
  EXPECT_TRUE(late.over());
  EXPECT_TRUE(early.over());
}

TEST(ReaderGate, AStreamOfReadersThatNeverLeavesItEmptyCannotHoldItUp) {
  ReaderGate gate;
  std::optional<ReaderGate::Reader> a(std::in_place, gate), b;
  ReaderGate::Grace grace(gate);
  bool over = false;
  for (int i = 0; i < 10 && !over; ++i) {  // one enters before the other leaves
    b.emplace(gate);
    a.reset();
    over = grace.over();
    a.emplace(gate);
    b.reset();
    over = over || grace.over();
  }
  EXPECT_TRUE(over);
}

TEST(ReaderGate, NestedReadersOfOneThreadAreCounted) {
  ReaderGate gate;  // a handler interrupts a handler
  std::optional<ReaderGate::Reader> outer(std::in_place, gate);
  { const ReaderGate::Reader inner(gate); }
  ReaderGate::Grace grace(gate);
  EXPECT_FALSE(grace.over());
  outer.reset();
  EXPECT_TRUE(grace.over());
}

// Values are freed as soon as their grace is over; a sanitizer sees a reader that still held one.
TEST(ReaderGate, NothingIsFreedUnderAReader) {
  ReaderGate gate;
  std::atomic<const int*> shared{new int(7)};
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!stop.load(std::memory_order_relaxed)) {
        const ReaderGate::Reader inside(gate);
        ASSERT_EQ(*shared.load(std::memory_order_acquire), 7);
        reads.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    const int* old = shared.exchange(new int(7), std::memory_order_seq_cst);
    ReaderGate::Grace grace(gate);
    while (!grace.over()) std::this_thread::yield();
    *const_cast<int*>(old) = 0;
    delete old;
  }
  while (reads.load() == 0) std::this_thread::yield();
  stop = true;
  for (std::thread& t : readers) t.join();
  delete shared.load();
}

}  // namespace
}  // namespace walkabout::unwind
