#include "agent/sources/linux/lock_owner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/linux/test_threads.h"
#include "agent/sources/linux/test_asking.h"

namespace walkabout::agent {
namespace {

// As the runtime's: the owner lies 16 bytes from the begin.
struct FakeLock {
  uint64_t first[2] = {};
  std::atomic<uint32_t> owner{0};
};

class LockOwnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!world_.can_ask()) GTEST_SKIP() << "no table of its own here";
    ASSERT_TRUE(owners_
                    .start(world_.context(),
                           [this](ThreadSlot&, const HeldUp& held, const RequestedStack& stack) {
                             const base::Lock lock(mutex_);
                             all_.push_back({held, stack});
                           })
                    .ok());
    lock_.owner = static_cast<uint32_t>(owner_.tid());
  }
  ~LockOwnerTest() override {
    owners_.stop();
    world_.stop();
  }
  clr::ContentionStart contention() const {
    return {reinterpret_cast<uint64_t>(&lock_), 0, static_cast<uint64_t>(owner_.tid())};
  }
  struct Emitted {
    HeldUp held;
    RequestedStack stack;
  };
  std::vector<Emitted> emitted() {
    const base::Lock lock(mutex_);
    return all_;
  }
  // The waiter waits until the owner's stack was taken: when it goes on, that is emitted.
  std::vector<Emitted> waited(unsigned us) {
    owners_.begins(waiter_place_, contention(), base::monotonic_ns());
    ::usleep(us);
    owners_.ends(waiter_place_, base::monotonic_ns());
    for (int i = 0; i < 200 && emitted().empty(); ++i) ::usleep(1000);
    return emitted();
  }

  testing::AskingWorld world_;
  testing::ComputingThread owner_, waiter_;
  const Place owner_place_ = world_.arm(owner_.tid()), waiter_place_ = world_.arm(waiter_.tid());
  FakeLock lock_;
  base::Mutex mutex_;
  std::vector<Emitted> all_ WALKABOUT_GUARDED_BY(mutex_);
  LockOwners owners_;
};

constexpr int kTries = 50;  // in one of them the owner has a processor while it is asked

TEST_F(LockOwnerTest, WhoHoldsALockHasItsStack) {
  std::vector<Emitted> all;
  for (int i = 0; i < kTries && all.empty(); ++i) all = waited(30'000);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].held.owner, owner_.tid());
  EXPECT_EQ(all[0].held.owner_place.thread, owner_place_.thread);
  EXPECT_EQ(all[0].held.lock, reinterpret_cast<uint64_t>(&lock_));
  EXPECT_GE(all[0].held.held_ns, 10'000'000u);
  EXPECT_EQ(all[0].stack.end, wire::WalkEnd::kRooted);
  EXPECT_GE(all[0].stack.frames.size(), 2u);
}

TEST_F(LockOwnerTest, WhoHasLetGoHasNone) {
  lock_.owner = 1;
  EXPECT_TRUE(waited(30'000).empty());
}

TEST_F(LockOwnerTest, TimeBehindTheOwnersIsNotItsOwn) {
  std::vector<Emitted> all;
  for (int i = 0; i < kTries && all.empty(); ++i) {
    lock_.owner = static_cast<uint32_t>(owner_.tid());
    const uint64_t began_ns = base::monotonic_ns();
    owners_.begins(waiter_place_, contention(), began_ns);
    ::usleep(30'000);
    lock_.owner = 1;  // another one has it
    for (int look = 0; look < 200 && all.empty(); ++look) {
      ::usleep(1000);
      all = emitted();
    }
    ::usleep(20'000);
    owners_.ends(waiter_place_, base::monotonic_ns());
  }
  ASSERT_EQ(all.size(), 1u);
  EXPECT_GE(all[0].held.held_ns, 10'000'000u);
  ::usleep(20'000);
  EXPECT_EQ(emitted().size(), 1u) << "the wait is over";
}

TEST_F(LockOwnerTest, OthersThatWaitForTheSameShareTheStack) {
  testing::ComputingThread second;
  const Place second_place = world_.arm(second.tid());
  std::vector<Emitted> all;
  for (int i = 0; i < kTries && all.size() < 2; ++i) {
    owners_.begins(second_place, contention(), base::monotonic_ns());
    all = waited(30'000);
    owners_.ends(second_place, base::monotonic_ns());
    ::usleep(20'000);
    all = emitted();
  }
  ASSERT_GE(all.size(), 2u);
}

}  // namespace
}  // namespace walkabout::agent
