#include "agent/linux/stack_request.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/linux/session/tick_world.h"
#include "agent/linux/test_threads.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kNeverNs = uint64_t{1000} * 1'000'000'000;  // no tick of the thread's own comes

class StackRequestTest : public ::testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    if (GetParam() >= engines_.size()) GTEST_SKIP() << "the kernel does not allow more engines here";
    ASSERT_TRUE(world_.ok());
  }
  uint32_t arm(pid_t tid) {
    world_.threads.arm(tid, 0, true);
    const auto slots = thread_slots();
    for (uint32_t i = 0; i < world_.threads.slot_count(); ++i) {
      if (slots[i].tid == tid) return i;
    }
    ADD_FAILURE() << "not armed";
    return 0;
  }
  // Asked again where the thread had no processor for so long.
  static bool ask(StackRequest& request, uint32_t slot) {
    for (int tries = 0; tries < 50; ++tries) {
      request.ask(slot);
      while (request.waits() && !request.look()) ::usleep(1000);
      if (request.look()) return true;
    }
    return false;
  }

  const std::vector<EngineChoice> engines_ = testing::engines();
  testing::TickWorld world_{engines_[std::min(GetParam(), engines_.size() - 1)], 1 << 20, kNeverNs};
  BlockedStacks blocked_{capture_setup().code, tick_gate(), capture_setup().depth};
};

TEST_P(StackRequestTest, AThreadThatRunsTakesItsOwnStack) {
  testing::ComputingThread computing;
  const uint32_t slot = arm(computing.tid());
  for (int i = 0; i < 3; ++i) {
    StackRequest request(world_.threads, blocked_);
    ASSERT_TRUE(ask(request, slot));
    EXPECT_TRUE(request.stands_there());
    EXPECT_EQ(request.stack().end, wire::WalkEnd::kRooted);
    EXPECT_GE(request.stack().frames.size(), 2u);
    EXPECT_FALSE(request.waits());
  }
  EXPECT_EQ(thread_slots()[slot].asked, 0) << "nothing is asked any more";
  EXPECT_EQ(world_.threads.shared(slot)->cpu().attempts.load(), 0u) << "it is no attempt of CPU time";
  world_.threads.stop();
}

TEST_P(StackRequestTest, AThreadThatIsBlockedIsReadFromOutside) {
  std::atomic<pid_t> tid{0};
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread blocked([&] {
    tid = testing::own_tid();
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
  });
  while (tid == 0 || place_of(tid).standing != Standing::kBlocked) ::usleep(1000);
  StackRequest request(world_.threads, blocked_);
  request.ask(arm(tid));
  EXPECT_FALSE(request.waits());
  EXPECT_TRUE(request.look());
  EXPECT_EQ(request.stack().end, wire::WalkEnd::kRooted);
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  blocked.join();
  for (const int fd : ends) ::close(fd);
  world_.threads.stop();
}

TEST_P(StackRequestTest, AThreadTakesItsStackOnlyWhileTheWordIsWhatItShouldBe) {
  testing::ComputingThread computing;
  const uint32_t slot = arm(computing.tid());
  std::atomic<uint32_t> word{7};
  const auto answer = [&](uint32_t is) {
    for (int tries = 0; tries < 50; ++tries) {
      AskedStack* entry = claim_asked(computing.tid(), slot, {reinterpret_cast<uint64_t>(&word), is});
      CpuClock clock;
      EXPECT_TRUE(
          world_.threads.open_asking_clock(*world_.threads.living_at(slot), asked_tick(*entry), &clock).ok());
      AskedStack::State state = AskedStack::kAsked;
      for (int i = 0; i < 200 && (state == AskedStack::kAsked || state == AskedStack::kWalks); ++i) {
        ::usleep(1000);
        state = entry->state;
      }
      close_clock(&clock);
      free_asked(*entry);
      if (state != AskedStack::kAsked) return state;
    }
    return AskedStack::kAsked;
  };
  EXPECT_EQ(answer(7), AskedStack::kWalked);
  EXPECT_EQ(answer(8), AskedStack::kRefused);
  world_.threads.stop();
}

TEST_P(StackRequestTest, AThreadThatBlocksBeforeItsTickIsReadFromOutside) {
  std::atomic<pid_t> tid{0};
  std::atomic<bool> blocks{false};
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread thread([&] {
    sigset_t none;
    sigfillset(&none);
    pthread_sigmask(SIG_BLOCK, &none, nullptr);  // it takes no tick
    tid = testing::own_tid();
    while (!blocks) {
    }
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
  });
  while (tid == 0) ::usleep(1000);
  StackRequest request(world_.threads, blocked_);
  request.ask(arm(tid));
  blocks = true;
  while (request.waits() && !request.look()) ::usleep(1000);
  while (place_of(tid).standing != Standing::kBlocked) ::usleep(1000);
  if (!request.look()) request.ask(arm(tid));  // it had no processor for longer than the request waits
  EXPECT_TRUE(request.look());
  EXPECT_TRUE(request.stands_there());
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  thread.join();
  EXPECT_FALSE(request.stands_there()) << "it has run since";
  for (const int fd : ends) ::close(fd);
  world_.threads.stop();
}

TEST_P(StackRequestTest, NobodyAnswersForAThreadThatHasNoClock) {
  testing::ComputingThread computing;
  const uint32_t slot = arm(computing.tid());
  world_.threads.stop();
  StackRequest request(world_.threads, blocked_);
  request.ask(slot);
  EXPECT_FALSE(request.waits());
  EXPECT_FALSE(request.look());
}

TEST_P(StackRequestTest, MoreThanThereIsRoomForAreNotAsked) {
  testing::ComputingThread computing;
  const uint32_t slot = arm(computing.tid());
  std::vector<AskedStack*> all;
  while (AskedStack* entry = claim_asked(1, slot)) all.push_back(entry);
  EXPECT_EQ(all.size(), kMostAsked);
  StackRequest request(world_.threads, blocked_);
  request.ask(slot);
  EXPECT_FALSE(request.waits());
  for (AskedStack* entry : all) free_asked(*entry);
  EXPECT_TRUE(ask(request, slot));
  world_.threads.stop();
}

INSTANTIATE_TEST_SUITE_P(Engine, StackRequestTest, ::testing::Range<size_t>(0, 3));

}  // namespace
}  // namespace walkabout::agent
