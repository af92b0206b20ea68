#include "agent/sources/linux/late_thread.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/linux/test_threads.h"
#include "agent/sources/linux/test_asking.h"

namespace walkabout::agent {
namespace {

// What the runtime has of a thread, as far as it is read.
struct FakeThread {
  uint32_t state = 0;
  std::atomic<uint32_t> cooperative{0};  // .NET 10: 4 bytes from the begin
};

class LateThreadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!world_.can_ask()) GTEST_SKIP() << "no table of its own here";
  }
  base::Status start(uint32_t runtime = 10) {
    return late_.start(world_.context(runtime),
                       [this](ThreadSlot&, const LateThreadFound& found, const RequestedStack& stack) {
                         const base::Lock lock(mutex_);
                         found_.push_back({found, stack});
                       });
  }
  ~LateThreadTest() override {
    late_.stop();
    world_.stop();
  }

  struct Program {
    testing::ComputingThread thread;
    FakeThread object;
    Place place;
  };
  std::unique_ptr<Program> program(bool cooperative) {
    auto made = std::make_unique<Program>();
    made->object.cooperative = cooperative ? 1 : 0;
    made->place = world_.arm(made->thread.tid(), reinterpret_cast<clr::ThreadID>(&made->object));
    return made;
  }
  struct Emitted {
    LateThreadFound found;
    RequestedStack stack;
  };
  void wait_for_looks(uint32_t looks) {
    while (late_.looks() < looks) ::usleep(1000);
  }
  std::vector<Emitted> emitted(size_t at_least) {
    for (int i = 0; i < 5000; ++i) {
      {
        const base::Lock lock(mutex_);
        if (found_.size() >= at_least) return found_;
      }
      ::usleep(1000);
    }
    return {};
  }

  testing::AskingWorld world_;
  base::Mutex mutex_;
  std::vector<Emitted> found_ WALKABOUT_GUARDED_BY(mutex_);
  LateThread late_;
};

constexpr uint32_t kSuspensions = 100;  // at most: in one of them the thread that is asked has a processor
constexpr uint32_t kLooks = 10;         // and a timer's tick

TEST_F(LateThreadTest, TheLastOneHasItsStack) {
  ASSERT_TRUE(start().ok());
  const auto first = program(true), last = program(true), native = program(false);
  std::vector<Emitted> all;
  for (uint32_t i = 1; i <= kSuspensions && (all.empty() || all.back().stack.frames.empty()); ++i) {
    first->object.cooperative = last->object.cooperative = 1;
    late_.starts(1);
    late_.came(native->place);  // it came back from native code, and nobody waited for it
    late_.came(first->place);
    first->object.cooperative = 0;
    wait_for_looks(kLooks);
    last->object.cooperative = 0;
    late_.came(last->place);
    late_.came(native->place);
    late_.all_stand();
    EXPECT_EQ(late_.last_tid(), last->thread.tid());
    all = emitted(i);
    ASSERT_EQ(all.size(), i);
    EXPECT_EQ(all.back().found.thread, last->place.thread);
    EXPECT_EQ(all.back().found.reason, 1u);
    EXPECT_GE(all.back().found.waited_ns, 1'000'000u);
  }
  EXPECT_EQ(all.back().stack.end, wire::WalkEnd::kRooted);
  EXPECT_GE(all.back().stack.frames.size(), 2u);
}

TEST_F(LateThreadTest, WhoWentIntoNativeCodeIsNotTheLast) {
  ASSERT_TRUE(start().ok());
  const auto gone = program(true), last = program(true);
  late_.starts(1);
  gone->object.cooperative = 0;  // and says nothing
  wait_for_looks(3);
  last->object.cooperative = 0;
  late_.all_stand();  // before the last could say that it stands
  EXPECT_EQ(late_.last_tid(), last->thread.tid());
}

TEST_F(LateThreadTest, OfTwoNobodyKnowsWhichWasTheLast) {
  ASSERT_TRUE(start().ok());
  const auto one = program(true), other = program(true);
  late_.starts(1);
  late_.all_stand();
  EXPECT_EQ(late_.last_tid(), 0);
  late_.starts(2);
  late_.came(one->place);
  late_.all_stand();
  EXPECT_EQ(late_.last_tid(), 0) << "the other one may have come, or have gone into native code";
  late_.starts(3);
  late_.came(one->place);
  late_.came(other->place);
  late_.all_stand();
  EXPECT_EQ(late_.last_tid(), other->thread.tid());
}

TEST_F(LateThreadTest, WhoCameUnexpectedlyAfterAllOthersMayBeTheLast) {
  ASSERT_TRUE(start().ok());
  const auto expected = program(true), unexpected = program(false);
  late_.starts(1);
  late_.came(unexpected->place);
  late_.came(expected->place);
  if (late_.looks() == 0) {
    late_.all_stand();
    EXPECT_EQ(late_.last_tid(), expected->thread.tid());
  }
  late_.starts(2);
  late_.came(expected->place);
  late_.came(unexpected->place);  // did it go on just as the suspension started?
  late_.all_stand();
  EXPECT_EQ(late_.last_tid(), 0);
}

TEST_F(LateThreadTest, AShortSuspensionHasNoSample) {
  ASSERT_TRUE(start().ok());
  const auto one = program(true), late = program(false);
  late_.starts(1);
  late_.came(one->place);
  late_.all_stand();
  late->object.cooperative = 1;
  one->object.cooperative = 0;
  late_.starts(2);
  wait_for_looks(2);
  late_.came(late->place);
  late_.all_stand();
  for (size_t more = 1; emitted(more).empty() || emitted(more).back().found.number != 2; ++more) {
  }
  for (const Emitted& sample : emitted(1)) EXPECT_GE(sample.found.waited_ns, 1'000'000u);
}

TEST_F(LateThreadTest, ManyWaitForAnAgentsThreadThatGetsNoProcessor) {
  constexpr size_t kWaiting = 100;
  ASSERT_TRUE(start().ok());
  const auto one = program(true);
  size_t known = 0;
  {
    const base::Lock lock(mutex_);  // the agent's thread waits here
    for (size_t i = 0; i < kWaiting; ++i) {
      late_.starts(1);
      ::usleep(1100);
      late_.came(one->place);
      late_.all_stand();
      // Not where the agent's thread, which does not wait yet, looked in between.
      if (late_.last_tid() != 0) ++known;
    }
  }
  EXPECT_GE(known, kWaiting - 5);
  EXPECT_EQ(emitted(known).size(), known);
  EXPECT_EQ(world_.lost(wire::source_id("gc")), 0u);
}

TEST_F(LateThreadTest, AnAbortedSuspensionHasNoLastThread) {
  ASSERT_TRUE(start().ok());
  const auto one = program(true);
  late_.starts(1);
  late_.ends();
  late_.came(one->place);
  late_.all_stand();
  EXPECT_EQ(late_.last_tid(), 0);
}

TEST_F(LateThreadTest, AnotherRuntimeIsNotRead) {
  EXPECT_FALSE(start(11).ok());
  late_.starts(1);
  late_.all_stand();
  EXPECT_EQ(late_.last_tid(), 0);
}

}  // namespace
}  // namespace walkabout::agent
