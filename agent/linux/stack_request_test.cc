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
  static bool wait_for_answer(StackRequest& request) {
    for (int i = 0; i < 10'000 && request.waits(); ++i) {
      if (request.look()) return true;
      ::usleep(1000);
    }
    return request.look();
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
    request.ask(slot);
    ASSERT_TRUE(request.waits());
    ASSERT_TRUE(wait_for_answer(request));
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
  request.ask(slot);
  EXPECT_TRUE(wait_for_answer(request));
  world_.threads.stop();
}

INSTANTIATE_TEST_SUITE_P(Engine, StackRequestTest, ::testing::Range<size_t>(0, 3));

}  // namespace
}  // namespace walkabout::agent
