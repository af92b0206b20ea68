#include "agent/shared/heap_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace walkabout::agent {
namespace {

TEST(HeapGate, NobodyEntersWhileItIsClosed) {
  HeapGate gate;
  EXPECT_TRUE(HeapGate::Reader(gate).inside());
  gate.close([] { FAIL() << "nobody is inside"; });
  EXPECT_FALSE(HeapGate::Reader(gate).inside());
  gate.open();
  EXPECT_TRUE(HeapGate::Reader(gate).inside());
}

TEST(HeapGate, ClosedUntilTheFirstOpen) {
  HeapGate gate(true);
  EXPECT_FALSE(HeapGate::Reader(gate).inside());
  gate.open();
  EXPECT_TRUE(HeapGate::Reader(gate).inside());
}

TEST(HeapGate, WaitsForWhoIsInside) {
  HeapGate gate;
  int waits = 0;
  {
    auto reader = std::make_unique<HeapGate::Reader>(gate);
    gate.close([&] {
      EXPECT_FALSE(HeapGate::Reader(gate).inside());
      if (++waits == 3) reader.reset();
    });
  }
  EXPECT_EQ(waits, 3);
}

// What a collection moves is never seen in the middle of it.
TEST(HeapGate, ReadersAndCollections) {
  HeapGate gate;
  uint64_t heap[2] = {0, 0};  // equal but while a collection moves them
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> reads{0};
  std::thread reader([&] {
    while (!stop.load()) {
      const HeapGate::Reader inside(gate);
      if (!inside.inside()) continue;
      ASSERT_EQ(heap[0], heap[1]);
      reads.fetch_add(1);
    }
  });
  for (uint64_t i = 1; i <= 200; ++i) {
    gate.close([] { std::this_thread::yield(); });
    heap[0] = i;
    std::this_thread::yield();
    heap[1] = i;
    gate.open();
    if (reads.load() == 0 && i == 200) i = 1;
  }
  stop.store(true);
  reader.join();
  EXPECT_GT(reads.load(), 0u);
}

TEST(HeapGate, TurnsTellThatItWasClosedMeanwhile) {
  HeapGate gate;
  const uint32_t before = gate.turns();
  EXPECT_EQ(gate.turns(), before);
  gate.close([] {});
  const uint32_t closed = gate.turns();
  gate.open();
  EXPECT_NE(gate.turns(), before);
  EXPECT_NE(gate.turns(), closed);
}

}  // namespace
}  // namespace walkabout::agent
