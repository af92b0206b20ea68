// A walk against a CLR that answers as it is told: the calling thread's own, and the answers that end one.
#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agent/windows/session/images.h"
#include "agent/windows/session/thread_walk.h"
#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kDepth = 64;

// Calls back with so many managed frames, and ends as the CLR does when the callback has enough.
struct FakeClr : clr::NullICorProfilerInfo15 {
  std::function<void()> on_address, on_snapshot;  // while the thread is stopped
  uint32_t snapshots = 0;
  uint32_t frames = 0;
  uint32_t reported_frames = 0;
  clr::ThreadID requested_thread = 1;
  uint32_t seed_size = 0;
  clr::HRESULT not_overridden(const char*) override { return clr::E_FAIL; }
  clr::HRESULT GetFunctionFromIP(const uint8_t*, clr::FunctionID*) override {
    if (on_address) on_address();
    return clr::E_FAIL;
  }
  clr::HRESULT DoStackSnapshot(clr::ThreadID thread, clr::StackSnapshotCallback* callback, uint32_t,
                               void* data, uint8_t*, uint32_t size) override {
    requested_thread = thread;
    seed_size = size;
    ++snapshots;
    if (on_snapshot) on_snapshot();
    if (frames == 0) return clr::E_FAIL;
    for (reported_frames = 0; reported_frames < frames; ++reported_frames) {
      if (callback(1, 0x1000 + reported_frames, 0, 0, nullptr, data) == clr::S_FALSE)
        return clr::CORPROF_E_STACKSNAPSHOT_ABORTED;
    }
    return clr::S_OK;
  }
};

struct ThreadWalkTest : ::testing::Test {
  ThreadWalkTest() { images.follow_loader(); }
  ~ThreadWalkTest() override {
    images.stop_following();
    dog.stop();
  }

  wire::RawSample* begin(uint32_t depth = kDepth) {
    walk.emplace(ThreadWalk::Setup{&clr, registry, dog, NativeFrames::kFull, depth, false});
    memory.resize(sizeof(wire::RawSample) / 8 + kDepth * 2 + 1);
    return new (memory.data()) wire::RawSample;
  }
  // As from a callback of the CLR's.
  wire::RawSample* walk_self(uint32_t depth = kDepth) {
    wire::RawSample* sample = begin(depth);
    const ThreadHandle self(static_cast<pid_t>(::GetCurrentThreadId()));
    EXPECT_EQ(walk->walk_self(self.stack(), sample), ThreadWalk::Result::kSampled);
    return sample;
  }
  std::string sentences() const {
    std::string all;
    for (const std::string& sentence : walk->figures().sentences()) all += sentence + "\n";
    return all;
  }

  FakeClr clr;
  unwind::ReaderGate gate;
  CodeRegistry registry{gate};
  Images images{registry};
  Watchdog dog;  // started where a thread is stopped
  std::optional<ThreadWalk> walk;
  std::vector<uint64_t> memory;
};

// A thread that holds a lock until it is told that another wants it, and then runs on.
struct Holder {
  std::mutex lock;
  std::atomic<bool> held{false}, wanted{false}, stop{false};
  std::atomic<uint64_t> turns{0};
  std::thread thread{[this] {
    {
      const std::lock_guard holding(lock);
      held = true;
      while (!wanted) ::Sleep(0);
    }
    while (!stop) {
      ++turns;
      ::Sleep(0);
    }
  }};
  const ThreadHandle handle{static_cast<pid_t>(
      ::GetThreadId(reinterpret_cast<HANDLE>(::pthread_gethandle(thread.native_handle()))))};
  Holder() {
    while (!held) ::Sleep(1);
  }
  ~Holder() {
    wanted = stop = true;
    thread.join();
  }
};

// Only the stopped thread can end the CLR's wait.
TEST_F(ThreadWalkTest, ALockThatTheStoppedThreadHoldsBlocksNobodyForLong) {
  ASSERT_TRUE(dog.start().ok());
  Holder holder;
  clr.frames = 40;
  clr.on_snapshot = [&] {
    holder.wanted = true;
    const std::lock_guard waits(holder.lock);
  };
  wire::RawSample* sample = begin();
  // On a busy machine the thread may be let go before the CLR is asked.
  while (clr.snapshots == 0)
    EXPECT_EQ(walk->walk(holder.handle, holder.handle.stack(), 7, sample), ThreadWalk::Result::kBlocked);
  EXPECT_EQ(clr.reported_frames, 0u) << "the first callback ends the walk";
  const uint64_t then = holder.turns;
  while (holder.turns == then) ::Sleep(1);  // it runs
  EXPECT_GE(dog.rescues(), 1u);
  EXPECT_NE(sentences().find("CORPROF_E_STACKSNAPSHOT_ABORTED 1\n"), std::string::npos) << sentences();
  EXPECT_NE(sentences().find(std::to_string(dog.rescues()) + " walks"), std::string::npos) << sentences();
}

TEST_F(ThreadWalkTest, TheClrIsNotCalledForAThreadThatRunsAgain) {
  ASSERT_TRUE(dog.start().ok());
  Holder holder;
  clr.on_address = [&] {
    while (!dog.let_go()) ::Sleep(1);
  };
  wire::RawSample* sample = begin();
  EXPECT_EQ(walk->walk(holder.handle, holder.handle.stack(), 7, sample), ThreadWalk::Result::kBlocked);
  EXPECT_EQ(clr.snapshots, 0u);
  EXPECT_EQ(sentences().rfind("1 walks", 0), 0u) << "and no answer: " << sentences();
}

TEST_F(ThreadWalkTest, TheCallersOwnStackIsWholeAndNothingIsStopped) {
  const wire::RawSample* sample = walk_self();
  EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
  ASSERT_GT(sample->frames, 5u);
  EXPECT_EQ(clr.requested_thread, 0u) << "the calling thread";
  EXPECT_EQ(clr.seed_size, 0u) << "no managed frame, no seed";
  const unwind::ReaderGate::Reader inside(gate);
  const unwind::Image* program = registry.images().find(reinterpret_cast<uint64_t>(+[] {}));
  const auto* frames = reinterpret_cast<const wire::Frame*>(sample + 1);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(frames[0].kind(), wire::FrameKind::kNative);
  EXPECT_EQ(frames[0].code(), program->code);
  EXPECT_NE(frames[sample->frames - 1].code(), program->code) << "a thread begins in the system";
}

TEST_F(ThreadWalkTest, WhatTheClrRefusesIsWalkedByUs) {
  EXPECT_EQ(walk_self()->end, wire::WalkEnd::kRooted);
  EXPECT_EQ(sentences(), "DoStackSnapshot without a seed: E_FAIL 1\n");
}

TEST_F(ThreadWalkTest, EnoughIsReturnedByTheCallbackAndSeenAsAborted) {
  clr.frames = 40;
  const wire::RawSample* sample = walk_self(16);
  EXPECT_EQ(clr.reported_frames, 16u) << "the callback that finds no room ends the walk";
  EXPECT_EQ(sentences(), "DoStackSnapshot without a seed: CORPROF_E_STACKSNAPSHOT_ABORTED 1\n");
  EXPECT_GT(sample->frames, 0u) << "and our own walk takes its place";
}

}  // namespace
}  // namespace walkabout::agent
