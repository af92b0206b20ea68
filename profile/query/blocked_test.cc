#include "profile/query/blocked.h"

#include <gtest/gtest.h>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

using testing::TestRecording;
using wire::ThreadState;

constexpr View kWall{1, 0};

class BlockedTest : public ::testing::Test {
 protected:
  BlockedTest() {
    builder_.on_session({});
    builder_.on_source(wire::cpu_source({}));
    builder_.on_source(testing::wall_source());
    thread_ = emit_.thread("main", 1);
    libc_ = emit_.module("/lib/libc.so.6");
    emit_.symbols(libc_, false, {{0x500, 0x600, "futex_wait", "", false}});
  }
  wire::Frame futex() const { return TestRecording::native(libc_, 0x510); }
  void blocked_in(base::StackId stack, uint64_t weight, uint64_t call = testing::kFutex) {
    emit_.wall(thread_, ++time_us_, weight, stack, ThreadState::kBlocked, call);
  }
  // "method < caller weight", heaviest first.
  std::vector<std::string> waits() {
    const Profile p = builder_.build("");
    const auto name = [&p](uint32_t frame) { return frame == kNoFrame ? "-" : p.frames[frame].name; };
    std::vector<std::string> out;
    const std::optional<Blocked> b = blocked(p, kWall);
    for (const Wait& wait : b->waits)
      out.push_back(name(wait.method) + " < " + name(wait.caller) + " " + std::to_string(wait.amount.weight));
    return out;
  }

  Builder builder_{{}};
  TestRecording emit_{builder_};
  base::ThreadId thread_;
  base::CodeId libc_;
  uint64_t time_us_ = 0;
};

using Strings = std::vector<std::string>;

TEST_F(BlockedTest, DistinguishesStatesAndCalls) {
  const auto stack = emit_.stack({emit_.jitted("Demo", "Main"), futex()});
  emit_.wall(thread_, 1, 5, stack, ThreadState::kRunning);
  emit_.wall(thread_, 2, 7, stack, ThreadState::kRunnable);
  blocked_in(stack, 100);
  blocked_in(stack, 300, testing::kRead);
  blocked_in(stack, 50);
  emit_.sample(thread_, 9, 1'000, stack);
  const Profile p = builder_.build("");
  const std::optional<Blocked> b = blocked(p, kWall);
  ASSERT_TRUE(b);
  EXPECT_EQ(b->states[0].samples, 0u);
  EXPECT_EQ(b->states[1].weight, 5u);
  EXPECT_EQ(b->states[2].weight, 7u);
  EXPECT_EQ(b->states[3].weight, 450u);
  ASSERT_EQ(b->calls.size(), 2u);
  EXPECT_EQ(b->calls[0].call, testing::kRead + 1);
  EXPECT_EQ(b->calls[1].call, testing::kFutex + 1);
  EXPECT_EQ(b->calls[1].amount.weight, 150u);
  EXPECT_EQ(b->calls[1].amount.samples, 2u);
}

TEST_F(BlockedTest, IsNothingThatCpuTimeHas) {
  const Profile p = builder_.build("");
  EXPECT_FALSE(blocked(p, {0, 0}));
  EXPECT_FALSE(blocked(Profile(), {}));
}

TEST_F(BlockedTest, TheWaitIsWhatTheProgramCalled) {
  const auto work = emit_.stack({emit_.jitted("Demo.Program", "Main"), emit_.jitted("Demo.Program", "Work")});
  const auto semaphore = emit_.push(work, emit_.jitted("System.Threading.SemaphoreSlim", "Wait"));
  blocked_in(emit_.push(emit_.push(semaphore, emit_.jitted("System.Threading.Monitor", "Wait")), futex()),
             30);
  blocked_in(emit_.push(emit_.push(work, emit_.jitted("System.Threading.Monitor", "Enter")), futex()), 20);
  EXPECT_EQ(waits(), (Strings{"System.Threading.SemaphoreSlim.Wait() < Demo.Program.Work() 30",
                              "System.Threading.Monitor.Enter() < Demo.Program.Work() 20"}));
}

TEST_F(BlockedTest, WhatCallsTheSystemIsNoWaitAndWhatAwaitsNoCaller) {
  const auto main = emit_.stack({emit_.jitted("Demo.Program", "Main")});
  const auto receive = emit_.push(main, emit_.jitted("System.Net.Sockets.Socket", "Receive"));
  const auto pal = emit_.push(receive, emit_.jitted("System.Net.Sockets.SocketPal", "Receive"));
  blocked_in(emit_.push(emit_.push(pal, emit_.jitted("Interop+Sys", "Receive")), futex()), 30);
  const auto awaiter =
      emit_.push(main, emit_.jitted("System.Runtime.CompilerServices.TaskAwaiter", "GetResult"));
  blocked_in(emit_.push(awaiter, emit_.jitted("System.Threading.Tasks.Task", "InternalWait")), 20);
  blocked_in(emit_.push(main, emit_.jitted("Interop+Demo", "WaitForIt")), 10);
  EXPECT_EQ(waits(), (Strings{"System.Net.Sockets.Socket.Receive() < Demo.Program.Main() 30",
                              "System.Threading.Tasks.Task.InternalWait() < Demo.Program.Main() 20",
                              "Demo.Program.Main() < - 10"}));
}

TEST_F(BlockedTest, ThreadsOfTheRuntimeHaveNoCaller) {
  const auto start = emit_.stack({emit_.jitted("System.Threading.Thread", "StartCallback")});
  blocked_in(
      emit_.push(emit_.push(start, emit_.jitted("System.Threading.LowLevelLifoSemaphore", "Wait")), futex()),
      2);
  blocked_in(emit_.stack({futex()}), 1);
  EXPECT_EQ(waits(), (Strings{"System.Threading.LowLevelLifoSemaphore.Wait() < - 2", "- < - 1"}));
}

}  // namespace
}  // namespace walkabout::profile
