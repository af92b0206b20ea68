// Samples with async stacks: a method that looks resumed, whose state machine is in a heap of the test's own.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "agent/linux/blocked_stack.h"
#include "agent/linux/handler/capture.h"
#include "agent/linux/session/tick_world.h"
#include "unwind/async/fake_heap.h"

namespace walkabout::agent {
namespace {

using namespace testing;
using unwind::testing::FakeHeap;
using wire::AsyncUnknown;
using wire::Frame;

constexpr base::SourceId kEventsWithAwaiters(2);

struct AsyncCapture : ::testing::Test {
  AsyncCapture() {
    world.registry.jitted(code.event(1));
    heap.methods.set_code(world.registry.newest_code(), unwind::kFirstMachine + 1);
    CaptureSetup setup = capture_setup();
    setup.async = &async;
    setup.own_image = true;
    set_capture(setup);
  }
  ~AsyncCapture() override {
    CaptureSetup setup = capture_setup();
    setup.async = nullptr;
    set_capture(setup);
  }

  // The native code that the method calls has the pointer on its stack.
  template <typename Work>
  void from_method(uint64_t pointer, Work work) {
    struct Call {
      uint64_t pointer;
      Work& work;
    } call{pointer, work};
    code.run(
        [](void* data) {
          auto* called = static_cast<Call*>(data);
          volatile uint64_t on_stack = called->pointer;
          called->work();
          ASSERT_EQ(on_stack, called->pointer);
        },
        &call, 1);
  }
  void sample() {
    const uint64_t value = 7;
    capture_here(*slot, {kEventsWithAwaiters, {&value, 1}, {}, true});  // not throttled
  }
  // Of the last sample. What a chain that is not there would be: a frame of its own.
  std::vector<Frame> awaiters() {
    wire::Consumer ring = world.threads.ring(slot_number(*slot), wire::Lane::kCallback);
    std::vector<Frame> last{Frame::gap()};
    for (const wire::RawSample* one = ring.next(); one != nullptr; one = ring.next()) {
      last.assign(wire::Consumer::awaiters(one), wire::Consumer::awaiters(one) + one->awaiters);
      joint = one->async_joint;
      unseen = one->async_unseen;
      if (joint != 0) resumed = wire::Consumer::frames(one)[joint - 1];
      ring.release();
    }
    return last;
  }
  void stop() {
    owed.stop();
    gate.close([] {});
  }
  void go_on() {
    gate.open();
    answer_owed(async);
  }
  void on_thread(const std::function<void()>& test) {
    ASSERT_TRUE(world.ok());
    std::thread([&] {
      world.arm_self();
      slot = world.threads.callback_slot();
      ASSERT_NE(slot, nullptr);
      test();
    }).join();
  }

  TickWorld world{engines().front(), 1 << 20, uint64_t{1000} * 1'000'000'000};
  const FakeManagedCode code;
  FakeHeap heap;
  HeapGate gate;
  HeapTables tables{gate};
  OwedAwaiters owed;
  AsyncSetup async{heap.known(), gate, tables, owed};
  ThreadSlot* slot = nullptr;
  uint32_t joint = 0, unseen = 0;
  Frame resumed;
};

TEST_F(AsyncCapture, ResumedMethodHasItsAwaiters) {
  on_thread([this] {
    const uint64_t box = heap.box(1, unwind::kRunning, heap.box(2, 5, 0));
    from_method(box + FakeHeap::kMachineAt, [this] { sample(); });
    EXPECT_EQ(awaiters(), std::vector{FakeHeap::awaits(2, 5)});
    EXPECT_GT(joint, 0u);
    EXPECT_EQ(resumed.code(), world.registry.newest_code());
  });
}

TEST_F(AsyncCapture, WithoutItsStateMachineTheyAreUnknown) {
  on_thread([this] {
    from_method(0, [this] { sample(); });
    EXPECT_EQ(awaiters(), std::vector{Frame::async_unknown(AsyncUnknown::kNoMachine)});
  });
}

// A collection moves what the pointer leads to. Broken by reading all the same.
TEST_F(AsyncCapture, NothingIsReadWhileTheHeapMoves) {
  on_thread([this] {
    const uint64_t box = heap.box(1, unwind::kRunning, heap.box(2, 5, 0));
    from_method(box + FakeHeap::kMachineAt, [this] {
      stop();
      sample();
      gate.open();
    });
    ASSERT_EQ(awaiters().size(), 1u);
  });
}

TEST_F(AsyncCapture, WhatIsNotAnsweredIsUnknown) {
  on_thread([this] {
    from_method(0, [this] {
      stop();
      sample();
    });
    const std::vector<Frame> sampled = awaiters();
    ASSERT_EQ(sampled.size(), 1u);
    EXPECT_EQ(sampled[0].without_ticket(), Frame::async_unknown(AsyncUnknown::kCollection));
    EXPECT_EQ(owed.find(sampled[0].async_ticket()), nullptr);
  });
}

// A collection moves the box, and updates the pointer to it on the stack.
TEST_F(AsyncCapture, AwaitersOfAThreadThatStandsAreFoundWhenItGoesOn) {
  on_thread([this] {
    const uint64_t box = heap.box(1, unwind::kRunning, heap.box(2, 5, 0));
    from_method(box + FakeHeap::kMachineAt, [this] {
      stop();
      sample();
      sample();
      go_on();
    });
    const std::vector<Frame> sampled = awaiters();
    ASSERT_EQ(sampled.size(), 1u);
    const OwedAwaiters::Answer* answer = owed.find(sampled[0].async_ticket());
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(answer->awaiters, std::vector{FakeHeap::awaits(2, 5)});
    EXPECT_EQ(answer->resumed, resumed);
  });
}

TEST_F(AsyncCapture, MethodThatIsSeenDuringTheCollectionIsSaid) {
  on_thread([this] {
    from_method(0, [&] {
      heap.methods.set_code(world.registry.newest_code(), unwind::kRoleUnseen);
      stop();
      sample();
      go_on();
    });
    EXPECT_TRUE(awaiters().empty());
    EXPECT_EQ(joint, 0u);
    EXPECT_GT(unseen, 0u);
  });
}

// The stack of a thread that is blocked is looked through by another.
TEST_F(AsyncCapture, BlockedThreadHasItsAwaiters) {
  const uint64_t box = heap.box(1, unwind::kRunning, heap.box(2, 5, 0));
  std::atomic<pid_t> tid{0};
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  std::thread blocked([&] {
    from_method(box + FakeHeap::kMachineAt, [&] {
      tid = static_cast<pid_t>(::syscall(SYS_gettid));
      pollfd wait{pipe[0], POLLIN, 0};
      ::poll(&wait, 1, -1);
    });
  });
  while (tid == 0 || place_of(tid).call != SYS_poll) std::this_thread::yield();
  BlockedStacks stacks(capture_setup().code, tick_gate(), 64, &async);
  const auto awaiters_now = [&] { return stacks.look(tid, 0, 0, 0).awaiters.frames; };
  EXPECT_EQ(awaiters_now(), std::vector{FakeHeap::awaits(2, 5)});
  const BlockedStack& seen = stacks.look(tid, 0, 0, 0);
  ASSERT_GT(seen.awaiters.joint, 0u);
  EXPECT_EQ(seen.frames[seen.awaiters.joint - 1].code(), world.registry.newest_code());
  stop();
  EXPECT_EQ(awaiters_now(), std::vector{Frame::async_unknown(AsyncUnknown::kCollection)});
  go_on();
  EXPECT_EQ(awaiters_now(), std::vector{FakeHeap::awaits(2, 5)});
  EXPECT_TRUE(
      BlockedStacks(capture_setup().code, tick_gate(), 64).look(tid, 0, 0, 0).awaiters.frames.empty());
  EXPECT_EQ(::write(pipe[1], "x", 1), 1);
  blocked.join();
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_F(AsyncCapture, NothingIsOwedOutsideOfAsyncMethods) {
  on_thread([this] {
    stop();
    sample();
    go_on();
    EXPECT_TRUE(awaiters().empty());
    EXPECT_EQ(joint, 0u);
  });
}

}  // namespace
}  // namespace walkabout::agent
