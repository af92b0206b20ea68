// A walk against a CLR that answers as it is told: the calling thread's own, and the answers that end one.
#include "base/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <string>
#include <vector>

#include "agent/windows/images.h"
#include "agent/windows/thread_walk.h"
#include "clr/hresults.h"
#include "clr/null_info.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kDepth = 64;

// Calls back with so many managed frames, and ends as the CLR does when the callback has enough.
struct FakeClr : clr::NullICorProfilerInfo15 {
  uint32_t frames = 0;
  uint32_t told = 0;
  clr::ThreadID asked_for = 1;
  uint32_t seed_size = 0;
  clr::HRESULT asked(const char*) override { return clr::E_FAIL; }
  clr::HRESULT DoStackSnapshot(clr::ThreadID thread, clr::StackSnapshotCallback* callback, uint32_t,
                               void* data, uint8_t*, uint32_t size) override {
    asked_for = thread;
    seed_size = size;
    if (frames == 0) return clr::E_FAIL;
    for (told = 0; told < frames; ++told) {
      if (callback(1, 0x1000 + told, 0, 0, nullptr, data) == clr::S_FALSE)
        return clr::CORPROF_E_STACKSNAPSHOT_ABORTED;
    }
    return clr::S_OK;
  }
};

struct ThreadWalkTest : ::testing::Test {
  ThreadWalkTest() { images.follow_loader(); }
  ~ThreadWalkTest() override { images.stop_following(); }

  // As from a callback of the CLR's.
  wire::RawSample* walk_self(uint32_t depth = kDepth) {
    walk.emplace(ThreadWalk::Setup{&clr, registry, dog, NativeFrames::kFull, depth, false});
    memory.resize(sizeof(wire::RawSample) / 8 + kDepth * 2 + 1);
    auto* sample = new (memory.data()) wire::RawSample;
    const ThreadHandle self(static_cast<pid_t>(::GetCurrentThreadId()));
    EXPECT_EQ(walk->walk_self(self.stack(), sample), ThreadWalk::Result::kSampled);
    return sample;
  }
  std::string said() const {
    std::string all;
    for (const std::string& sentence : walk->figures().sentences()) all += sentence + "\n";
    return all;
  }

  FakeClr clr;
  walker::ReaderGate gate;
  CodeRegistry registry{gate};
  Images images{registry};
  Watchdog dog;  // not started: nobody is stopped
  std::optional<ThreadWalk> walk;
  std::vector<uint64_t> memory;
};

TEST_F(ThreadWalkTest, TheCallersOwnStackIsWholeAndNothingIsStopped) {
  const wire::RawSample* sample = walk_self();
  EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
  ASSERT_GT(sample->frames, 5u);
  EXPECT_EQ(clr.asked_for, 0u) << "the calling thread";
  EXPECT_EQ(clr.seed_size, 0u) << "no managed frame, no seed";
  const walker::ReaderGate::Reader inside(gate);
  const walker::Image* program = registry.images().find(reinterpret_cast<uint64_t>(+[] {}));
  const auto* frames = reinterpret_cast<const wire::Frame*>(sample + 1);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(frames[0].kind(), wire::FrameKind::kNative);
  EXPECT_EQ(frames[0].code(), program->code);
  EXPECT_NE(frames[sample->frames - 1].code(), program->code) << "a thread begins in the system";
}

TEST_F(ThreadWalkTest, WhatTheClrRefusesIsWalkedByUs) {
  EXPECT_EQ(walk_self()->end, wire::WalkEnd::kRooted);
  EXPECT_EQ(said(), "DoStackSnapshot without a seed: E_FAIL 1\n");
}

TEST_F(ThreadWalkTest, EnoughIsSaidByTheCallbackAndSeenAsAborted) {
  clr.frames = 40;
  const wire::RawSample* sample = walk_self(16);
  EXPECT_EQ(clr.told, 16u) << "the callback that finds no room ends the walk";
  EXPECT_EQ(said(), "DoStackSnapshot without a seed: CORPROF_E_STACKSNAPSHOT_ABORTED 1\n");
  EXPECT_GT(sample->frames, 0u) << "and our own walk takes its place";
}

}  // namespace
}  // namespace walkabout::agent
