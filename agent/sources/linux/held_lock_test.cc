#include "agent/sources/linux/held_lock.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "agent/linux/blocked_thread.h"

namespace walkabout::agent {
namespace {

constexpr pid_t kOwner = 4711;
constexpr uint64_t kType = 0x7f0012345678;

struct LockInMemory {
  uint64_t type = kType, event = 0;
  uint32_t owner = kOwner, recursion = 1;
};
uint64_t address(const LockInMemory& lock) { return reinterpret_cast<uint64_t>(&lock); }

TEST(HeldLock, AMonitorStaysWhereItIs) {
  LockInMemory aware;
  HeldLock held;
  WaitedLock waited{address(aware), 0, 0, kOwner, ::getpid()};
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  held.suspends();
  EXPECT_EQ(held.look(waited), Holding::kUnknown) << "threads are stopped";
  held.resumes();
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  aware.owner = kOwner + 1;
  EXPECT_EQ(held.look(waited), Holding::kLetGo);
}

TEST(HeldLock, WhatIsNotThereIsNotHeld) {
  HeldLock held;
  WaitedLock waited{8, 0, 0, kOwner, ::getpid()};
  EXPECT_EQ(held.look(waited), Holding::kLetGo);
}

// A thread that waits, with a reference to what it waits for on its stack.
class WaitingThread {
 public:
  explicit WaitingThread(const LockInMemory* lock) {
    EXPECT_EQ(::pipe(ends_), 0);
    thread_ = std::thread([this, lock] {
      const LockInMemory* volatile used[2] = {lock, nullptr};
      reference_ = used;
      tid_ = static_cast<pid_t>(::syscall(SYS_gettid));
      char byte = 0;
      EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
    });
    while (tid_ == 0 || place_of(tid_).standing != Standing::kBlocked) ::usleep(1000);
  }
  ~WaitingThread() {
    EXPECT_EQ(::write(ends_[1], "x", 1), 1);
    thread_.join();
    for (const int end : ends_) ::close(end);
  }
  pid_t tid() const { return tid_; }
  // As a collection does it.
  void move(const LockInMemory* to, const LockInMemory* another = nullptr) {
    reference_[0] = to;
    reference_[1] = another;
  }

 private:
  int ends_[2] = {};
  std::atomic<pid_t> tid_{0};
  const LockInMemory* volatile* volatile reference_ = nullptr;
  std::thread thread_;
};

TEST(HeldLock, ALockIsFoundAgainWhereACollectionHasPutIt) {
  LockInMemory before, after, later;
  WaitingThread waiting(&before);
  HeldLock held;
  WaitedLock waited{0, address(before), 0, kOwner, waiting.tid()};
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  held.suspends();
  waiting.move(&after);
  before = {1, 2, 3, 4};
  held.resumes();
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  EXPECT_NE(waited.reference_at, 0u);
  held.suspends();
  waiting.move(&later);
  after = {1, 2, 3, 4};
  held.resumes();
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  later.owner = 0;
  EXPECT_EQ(held.look(waited), Holding::kLetGo);
}

TEST(HeldLock, WhichOfTwoLocksIsWaitedForIsNotKnown) {
  LockInMemory before, after, other;
  WaitingThread waiting(&before);
  HeldLock held;
  WaitedLock waited{0, address(before), 0, kOwner, waiting.tid()};
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  EXPECT_EQ(waited.held_at, address(before) + offsetof(LockInMemory, owner));
  held.suspends();
  waiting.move(&after, &other);
  before = {1, 2, 3, 4};
  held.resumes();
  EXPECT_EQ(held.look(waited), Holding::kUnknown);
  other.owner = 0;
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  EXPECT_EQ(waited.held_at, address(after) + offsetof(LockInMemory, owner));
}

TEST(HeldLock, AMonitorThatWasLetGoIsNotLookedForAsALock) {
  LockInMemory aware, lock;
  WaitingThread waiting(&lock);
  HeldLock held;
  WaitedLock seen{0, address(lock), 0, kOwner, waiting.tid()};
  EXPECT_EQ(held.look(seen), Holding::kHeld) << "now its type is known";
  WaitedLock waited{address(aware), 0, 0, kOwner, waiting.tid()};
  EXPECT_EQ(held.look(waited), Holding::kHeld);
  held.suspends();
  held.resumes();
  aware.owner = 0;
  EXPECT_EQ(held.look(waited), Holding::kLetGo);
}

TEST(HeldLock, ALockOfAnUnknownTypeIsNotLookedForBehindACollection) {
  LockInMemory lock;
  WaitingThread waiting(&lock);
  HeldLock held;
  held.suspends();
  held.resumes();
  WaitedLock waited{0, address(lock), 0, kOwner, waiting.tid()};
  EXPECT_EQ(held.look(waited), Holding::kLetGo);
}

}  // namespace
}  // namespace walkabout::agent
