#include "agent/shared/heap_tables.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

using unwind::HeapRegions;

struct Tables : ::testing::Test {
  // A region at this address; 0: the runtime does not say.
  auto says(uint64_t begin) {
    return [begin](HeapRegions& table, const HeapRegions&) {
      return begin != 0 && table.add(begin, begin + 64, begin + 128, true);
    };
  }
  void collect(uint64_t begin) {
    gate.close([] {});
    tables.all_stand();
    tables.run(says(begin));
    gate.open();
  }
  bool knows(uint64_t address) const {
    const unwind::HeapView view = tables.view();
    return view.regions != nullptr && view.regions->find(address) != nullptr;
  }

  HeapGate gate;
  HeapTables tables{gate};
};

TEST_F(Tables, NothingIsKnownAtFirst) {
  EXPECT_EQ(tables.view().regions, nullptr);
  EXPECT_EQ(tables.view().range.hi, 0u);
}

TEST_F(Tables, WhatACollectionLeftHoldsUntilTheNextOne) {
  collect(0x10000);
  EXPECT_TRUE(knows(0x10000));
  gate.close([] {});
  tables.all_stand();
  EXPECT_FALSE(knows(0x10000));
  tables.run(says(0x20000));
  EXPECT_TRUE(knows(0x20000));
  EXPECT_FALSE(knows(0x10000));
}

TEST_F(Tables, WithoutAnAnswerNothingIsKnown) {
  collect(0x10000);
  collect(0);
  EXPECT_EQ(tables.view().regions, nullptr);
}

TEST_F(Tables, TheRangeOnlyGrows) {
  collect(0x20000);
  collect(0x10000);
  EXPECT_EQ(tables.view().range.lo, 0x10000u);
  EXPECT_EQ(tables.view().range.hi, 0x20080u);
}

TEST_F(Tables, NewRegionsAreLearntBetweenCollections) {
  collect(0x10000);
  tables.refresh(says(0x20000));
  EXPECT_TRUE(knows(0x20000));
}

TEST_F(Tables, WhoReadsKeepsTheTable) {
  collect(0x10000);
  tables.refresh(says(0x20000));
  const HeapGate::Reader reading(gate);
  const unwind::HeapView view = tables.view();
  tables.refresh(says(0x30000));
  tables.refresh(says(0x40000));
  EXPECT_NE(view.regions->find(0x20000), nullptr);
  EXPECT_TRUE(knows(0x20000));
}

// The answer may be of before the collection that came while it was waited for.
TEST_F(Tables, AnAnswerIsOfTheMomentItWasAskedIn) {
  collect(0x10000);
  tables.refresh([this](HeapRegions& table, const HeapRegions& before) {
    collect(0x20000);
    return says(0x30000)(table, before);
  });
  EXPECT_EQ(tables.view().regions, nullptr);
  tables.refresh(says(0x40000));
  EXPECT_TRUE(knows(0x40000));
}

TEST_F(Tables, NobodyAsksWhileAllStand) {
  gate.close([] {});
  tables.all_stand();
  tables.refresh([](HeapRegions&, const HeapRegions&) {
    ADD_FAILURE();
    return false;
  });
}

TEST_F(Tables, AnAbortedSuspensionChangesNothing) {
  collect(0x10000);
  tables.run([](HeapRegions&, const HeapRegions&) {
    ADD_FAILURE();
    return false;
  });
  EXPECT_TRUE(knows(0x10000));
}

}  // namespace
}  // namespace walkabout::agent
