// A thread that takes samples of itself: into its second lane, whatever becomes of them.
#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include <array>

#include "agent/windows/capture.h"
#include "agent/windows/dynamic_function.h"
#include "agent/windows/session/images.h"
#include "agent/windows/thread_table.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kRingOfCapture = 64 << 10, kDepth = 128;
constexpr base::SourceId kCaptureSource(4);
constexpr std::array<uint64_t, 2> kValues{7, 8};
constexpr std::array<uint64_t, 1> kLabels{9};

struct CaptureTest : ::testing::Test {
  CaptureTest() {
    EXPECT_TRUE(rings.map(kRingOfCapture, 1).ok());
    images.follow_loader();
    table.arm(static_cast<pid_t>(::GetCurrentThreadId()), 0, false);
    slot = table.callback_slot();
    set_capture(setup());
    stop_captures(false);
  }
  ~CaptureTest() override { images.stop_following(); }
  CaptureSetup setup() {
    CaptureSetup setup;
    setup.code = {&registry.images(), &registry.jitted(), find_dynamic_function};
    setup.gate = &gate;
    setup.collecting = &collecting;
    setup.depth = kDepth;
    setup.tsc_per_ms = 1'000'000;
    return setup;
  }
  const wire::SourceAccount& account() const {
    return slot->shared->lane(wire::Lane::kCallback).of(kCaptureSource);
  }
  static uint64_t drops(const wire::SourceAccount& account) {
    uint64_t all = 0;
    for (const auto& one : account.drops) all += one.load();
    return all;
  }
  // Until there is no room. Returns how many samples there were.
  uint32_t fill() {
    uint32_t samples = 0;
    while (!capture_here(*slot, {kCaptureSource, kValues, kLabels, true})) ++samples;
    return samples;
  }

  RingMemory rings;
  unwind::ReaderGate gate;
  CodeRegistry registry{gate};
  Images images{registry};
  CollectingThread collecting;
  ThreadTable table{rings};
  ThreadSlot* slot = nullptr;
};

TEST_F(CaptureTest, ASampleHasItsEventAndTheWholeStackOfWhoCalledTheAgent) {
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(capture_here(*slot, {kCaptureSource, kValues, kLabels, true}), Dropped());
  wire::Consumer ring = table.ring(slot_number(*slot), wire::Lane::kCallback);
  const wire::RawSample* raw = ring.next();
  ASSERT_NE(raw, nullptr);
  EXPECT_EQ(raw->source, kCaptureSource.value);
  EXPECT_EQ(raw->value, 7u);
  EXPECT_EQ(*wire::Consumer::more_values(raw), 8u);
  EXPECT_EQ(*wire::Consumer::labels(raw), 9u);
  EXPECT_EQ(raw->end, wire::WalkEnd::kRooted);
  ASSERT_GE(raw->frames, 2u) << "the system's, below this program";
  const wire::Frame* frames = wire::Consumer::frames(raw);
  const unwind::Image* own = registry.images().find(reinterpret_cast<uint64_t>(&set_capture));
  ASSERT_NE(own, nullptr);
  for (uint32_t i = 0; i < raw->frames; ++i) EXPECT_EQ(frames[i].kind(), wire::FrameKind::kNative) << i;
  EXPECT_NE(frames[0].code(), own->code) << "the agent's frames are left out: here the whole program's";
  EXPECT_EQ(account().attempts, 1u);
  EXPECT_EQ(account().samples, 1u);
}

TEST_F(CaptureTest, WhatItsCallerSumsIsNoAttempt) {
  const uint32_t samples = fill();
  EXPECT_GT(samples, 3u);
  EXPECT_EQ(account().attempts, samples);
  EXPECT_EQ(account().samples, samples);
  EXPECT_EQ(drops(account()), 0u);
}

TEST_F(CaptureTest, WhatNobodySumsIsACountedDrop) {
  const uint32_t samples = fill();
  EXPECT_EQ(capture_here(*slot, {kCaptureSource, kValues, kLabels}), Dropped(wire::DropCause::kRingFull));
  stop_captures(true);
  EXPECT_EQ(capture_here(*slot, {kCaptureSource, kValues, kLabels}), Dropped(wire::DropCause::kStopping));
  EXPECT_EQ(account().attempts, samples + 2u);
  EXPECT_EQ(drops(account()), 2u);
}

// Broken by a pointer to what is not there.
TEST_F(CaptureTest, WithoutARingItIsDropped) {
  slot->callback_ring = nullptr;
  EXPECT_EQ(capture_here(*slot, {kCaptureSource, kValues, kLabels}), Dropped(wire::DropCause::kRingFull));
}

// The system ends a process whose thread has no stack left.
__attribute__((noinline)) Dropped capture_with_left(ThreadSlot& slot, uint64_t left) {
  const ThreadHandle self(slot.tid.load());
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  volatile auto* taken = static_cast<volatile char*>(__builtin_alloca(here - self.stack().lo - left));
  taken[0] = 0;
  return capture_here(slot, {kCaptureSource, kValues, kLabels});
}

TEST_F(CaptureTest, NearTheEndOfItsStackAThreadIsNotWalked) {
  EXPECT_EQ(capture_with_left(*slot, 256 << 10), Dropped());
  EXPECT_EQ(capture_with_left(*slot, 64 << 10), Dropped(wire::DropCause::kThrottled));
}

TEST_F(CaptureTest, ASampleOfWhoCollectsSaysSo) {
  collecting.suspends(clr::COR_PRF_SUSPEND_FOR_GC, slot->tid);
  EXPECT_EQ(capture_here(*slot, {kCaptureSource, kValues, kLabels, true}), Dropped());
  collecting.resumes();
  EXPECT_EQ(capture_here(*slot, {kCaptureSource, kValues, kLabels, true}), Dropped());
  wire::Consumer ring = table.ring(slot_number(*slot), wire::Lane::kCallback);
  EXPECT_EQ(ring.next()->flags, static_cast<uint8_t>(wire::SampleFlag::kInGc));
  ring.pass();
  EXPECT_EQ(ring.next()->flags, 0u);
}

// There is no managed frame: it is not asked.
TEST_F(CaptureTest, WithTheOracleASampleSaysWhetherItWasAsked) {
  CaptureSetup with = setup();
  with.oracle = [](const unwind::Registers&, const unwind::PeCodeMap&, wire::Frame*, uint32_t) {
    return OracleAnswer{0, 0, 0};
  };
  set_capture(with);
  EXPECT_EQ(capture_here(*slot, {kCaptureSource, kValues, kLabels, true}), Dropped());
  EXPECT_EQ(table.ring(slot_number(*slot), wire::Lane::kCallback).next()->oracle,
            static_cast<uint8_t>(wire::OracleState::kNoSeed));
}

}  // namespace
}  // namespace walkabout::agent
