#include "agent/core/pending_walk.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "agent/core/pending_forest.h"
#include "base/clock.h"
#include "unwind/async/fake_heap.h"

namespace walkabout::agent {
namespace {

using unwind::testing::FakeHeap;

struct PendingWalkTest : ::testing::Test {
  void walk(uint64_t end_ns = UINT64_MAX) {
    pending.begin();
    pending.end_at(end_ns);
    bool wanted = true;
    heap.for_each([&](uint64_t object) { wanted = wanted && pending.look(object); });
    pending.finish();
  }
  // "1#3 2#1": machine and await, from where it waits to who awaits it; and how often.
  std::map<std::string, int> stacks() {
    std::map<std::string, int> all;
    std::map<uint32_t, std::string> text{{0, ""}};
    std::map<std::string, uint32_t> numbers;
    const auto number = [&](const std::string& of) {
      const auto [at, fresh] = numbers.try_emplace(of, static_cast<uint32_t>(numbers.size() + 1));
      text[at->second] = of;
      return base::StackId(at->second);
    };
    PendingForest forest(pending.found());
    forest.name_leaves(
        [&](const PendingOperation& outermost) {
          return outermost.end == unwind::AsyncEnd::kRoot ? base::StackId() : number("unknown");
        },
        [&](base::StackId parent, const PendingOperation& one) {
          ++named;
          return number(std::to_string(one.type->machine) + "#" + std::to_string(one.state) +
                        (parent.value == 0 ? "" : " ") + text[parent.value]);
        },
        [&](const PendingOperation&, size_t, base::StackId node) { ++all[text[node.value]]; });
    return all;
  }

  FakeHeap heap;
  PendingWalk pending{heap.types};
  int named = 0;
};

using Stacks = std::map<std::string, int>;

TEST_F(PendingWalkTest, NothingWaits) {
  heap.object(FakeHeap::kStranger);
  heap.box(0, unwind::kRunning, 0);
  heap.box(1, unwind::kFinished, heap.object(FakeHeap::kObject));
  walk();
  EXPECT_TRUE(pending.whole());
  EXPECT_EQ(pending.objects(), 4u);
  EXPECT_EQ(stacks(), Stacks());
}

TEST_F(PendingWalkTest, LeavesByLogicalStack) {
  for (int i = 0; i < 3; ++i) {
    const uint64_t outer = heap.box(2, 1, 0);
    heap.box(0, 3, heap.action(heap.box(1, 0, heap.task(outer))));
  }
  heap.box(0, 3, 0);
  walk();
  EXPECT_EQ(pending.found().size(), 10u);
  EXPECT_EQ(stacks(), (Stacks{{"0#3 1#0 2#1", 3}, {"0#3", 1}}));
}

TEST_F(PendingWalkTest, EachOfSeveralThatOneAwaits) {
  const uint64_t outer = heap.box(5, 0, 0), promise = heap.task(outer);
  heap.box(1, 0, promise);
  heap.box(1, 0, promise);
  heap.box(2, 7, promise);
  walk();
  EXPECT_EQ(stacks(), (Stacks{{"1#0 5#0", 2}, {"2#7 5#0", 1}}));
  EXPECT_EQ(named, 4) << "each method once";
}

TEST_F(PendingWalkTest, OfSeveralWhoAwaitOneTheOthersStandByThemselves) {
  const uint64_t first = heap.box(1, 0, 0), second = heap.box(2, 0, 0);
  heap.box(0, 0, heap.list({first, second}));
  walk();
  EXPECT_EQ(stacks(), (Stacks{{"0#0 1#0", 1}, {"2#0", 1}}));
}

TEST_F(PendingWalkTest, DebugBuildsAndIterators) {
  const FakeHeap::Pair outer = heap.object_box(1, 2, 0);
  heap.iterator(3, 0, outer.box);
  heap.iterator(3, -4, outer.box);  // at a yield: it is waited for by nobody, and waits for nobody
  walk();
  EXPECT_EQ(stacks(), (Stacks{{"3#0 1#2", 1}}));
}

TEST_F(PendingWalkTest, WhoIsNotKnownIsUnknown) {
  heap.box(0, 1, heap.object(FakeHeap::kStranger));
  walk();
  EXPECT_EQ(stacks(), (Stacks{{"0#1 unknown", 1}}));
}

TEST_F(PendingWalkTest, CirclesEnd) {
  const uint64_t one = heap.box(0, 0, 0), other = heap.box(1, 0, one);
  FakeHeap::set(one + FakeHeap::kTaskNext, other);
  heap.box(2, 0, one);
  walk();
  EXPECT_EQ(stacks(), (Stacks{{"2#0 0#0 1#0 unknown", 1}}));
}

TEST_F(PendingWalkTest, BoundOfTime) {
  for (int i = 0; i < 100; ++i) heap.box(0, 0, 0);
  walk(base::monotonic_ns());
  EXPECT_FALSE(pending.whole());
  EXPECT_EQ(stacks(), (Stacks{{"0#0 unknown", 100}})) << "no time for who awaits them";
  walk();
  EXPECT_TRUE(pending.whole());
  EXPECT_EQ(stacks(), (Stacks{{"0#0", 100}}));
}

TEST_F(PendingWalkTest, ClassesOfAllObjectsOnce) {
  heap.box(0, 0, 0);
  heap.object(FakeHeap::kStranger);
  heap.box(0, 0, 0);
  walk();
  const std::span<const uint64_t> classes = pending.classes();
  EXPECT_EQ(std::vector(classes.begin(), classes.end()),
            (std::vector<uint64_t>{FakeHeap::box_class(0), FakeHeap::kStranger}));
}

}  // namespace
}  // namespace walkabout::agent
