#include "collect/recovery.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "collect/test_recovery.h"

namespace walkabout::cli {
namespace {

using testing::CodeId;
using testing::DropCause;
using ::testing::ElementsAre;
using testing::Frame;
using testing::FrameKind;
using ::testing::HasSubstr;
using testing::kMain;
using testing::kNamed;
using testing::kOther;
using testing::kStart;
using testing::kUndeclared;
using testing::TestRings;
using testing::ThreadId;
using RecoveryTest = testing::RecoveryFixture;

// The last Counters hold the CPU time of samples that were still in the ring.
TEST_F(RecoveryTest, CpuTimeIsNotCountedTwice) {
  ASSERT_TRUE(store_counters(0).ok());
  rings_.arm(3, 7, 70);
  for (const uint64_t ms : {1, 2, 3, 4}) rings_.sample(3, kStart + ms * 1'000'000, {kMain});  // a ms each
  ASSERT_TRUE(recover().ok());
  EXPECT_EQ(counters.process_cpu_ns, 41'500'000u) << "half of the third, all of the fourth";
}

// What the agent's own threads used is part of the process's CPU time, and would be nobody's.
TEST_F(RecoveryTest, TheAgentsOwnThreadsAreOneThread) {
  ASSERT_TRUE(store_counters(7'000'000).ok());
  rings_.arm(3, 9, 90);
  rings_.sample(3, kStart + 3'000'000, {kMain});
  threads_.clear();
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(threads_.size(), 2u) << "one that was not declared, and the agent's";
  EXPECT_EQ(threads_[1].kind, wire::ThreadKind::kAgent);
  EXPECT_EQ(threads_[1].id, ThreadId(10));
  EXPECT_THAT(ends_, ElementsAre(::testing::Field(&wire::ThreadEnd::unsampled_ns, 7'000'000u)));
}

// The walk that met a method before it was reported has nobody to name it any more.
TEST_F(RecoveryTest, AnUnreportedMethodIsManagedCode) {
  rings_.arm(3, 7, 70);
  for (int i = 0; i < 3; ++i)  // two came through the stream
    rings_.sample(3, kStart + 1'000'000, {Frame::at_address(FrameKind::kUnreported, 0x1234), kMain});
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(samples_seen_.size(), 1u);
  EXPECT_THAT(frames(samples_seen_[0].stack[0]),
              ElementsAre(Frame::in_code(FrameKind::kJitted, Frame::unreported_code(), 0x1234), kMain));
  EXPECT_EQ(code.count(Frame::unreported_code()), 1u);
  EXPECT_THAT(message_, HasSubstr("1 frame in code that had not been named"));
}

TEST_F(RecoveryTest, OnlyWhatDidNotComeThroughTheStream) {
  rings_.arm(3, 7, 70);
  for (const uint64_t ms : {1, 2, 3, 4}) rings_.sample(3, kStart + ms * 1'000'000, {kNamed, kMain});
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(samples_seen_.size(), 1u);
  const wire::Samples& got = samples_seen_[0];
  EXPECT_EQ(got.thread, ThreadId(7));
  EXPECT_THAT(got.time_us, ElementsAre(3000, 4000));  // the stream had two
  EXPECT_THAT(frames(got.stack[0]), ElementsAre(kNamed, kMain));
  EXPECT_EQ(got.stack[0], got.stack[1]);
  EXPECT_THAT(message_, HasSubstr("the last 2 samples"));
  EXPECT_THAT(message_, ::testing::Not(HasSubstr("named")));
  EXPECT_EQ(counters.samples, 4u);
  expect_accounts();
}

TEST_F(RecoveryTest, BehindTheBeginOfANewTree) {
  std::string stream;
  wire::encode(wire::Nodes{{0}, {kNamed}, true}, 1, stream);
  wire::encode(wire::Samples{ThreadId(7), {30}, {1}, {base::StackId(1)}, {}, {}}, stream);
  ASSERT_TRUE(store(stream).ok());
  samples_seen_.clear();
  rings_.arm(3, 7, 70);
  for (const uint64_t ms : {1, 2, 3, 4}) rings_.sample(3, kStart + ms * 1'000'000, {kNamed, kMain});
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(samples_seen_.size(), 1u);
  ASSERT_EQ(samples_seen_[0].time_us.size(), 1u) << "the stream had three";
  EXPECT_THAT(frames(samples_seen_[0].stack[0]), ElementsAre(kNamed, kMain));
  expect_accounts();
}

// Of threads that come and go for days nothing is kept; of one whose ring may still be there, all.
TEST_F(RecoveryTest, ThreadsThatAreGoneAreErased) {
  const auto emit = [this](const auto& record) {
    std::string bytes;
    wire::encode(record, bytes);
    ASSERT_TRUE(store(bytes).ok());
  };
  emit(wire::ThreadEnd{ThreadId(7), 30, 0});
  emit(wire::Counters{31});
  EXPECT_EQ(stream_samples_of(ThreadId(7)), 2u) << "its ring was not released yet";
  emit(wire::Counters{32});
  EXPECT_FALSE(knows(ThreadId(7)));
}

TEST_F(RecoveryTest, ATickWithoutOutcomeIsCounted) {
  wire::SlotHeader* slot = rings_.arm(0, 7, 70);
  for (const uint64_t ms : {1, 2, 3}) rings_.sample(0, kStart + ms * 1'000'000, {kMain});
  slot->cpu().attempts += 1;  // it was in its handler
  slot->cpu().attempts += 5;
  slot->cpu().drops[static_cast<size_t>(DropCause::kThrottled)] = 5;
  rings_.header()->gone.accounts[0].attempts = 100;  // of threads before, all dropped
  rings_.header()->gone.accounts[0].drops[static_cast<size_t>(DropCause::kRingFull)] = 100;
  ASSERT_TRUE(recover().ok());
  EXPECT_EQ(dropped(DropCause::kKilled), 1u);
  EXPECT_EQ(dropped(DropCause::kThrottled), 5u);
  EXPECT_EQ(dropped(DropCause::kRingFull), 100u);
  EXPECT_EQ(counters.attempts, 109u);
  expect_accounts();
}

TEST_F(RecoveryTest, AThreadAndCodeThatWereNotDeclared) {
  rings_.arm(1, 8, 80);
  rings_.sample(1, kStart + 9'000'000,
                {kUndeclared, Frame::in_code(FrameKind::kNative, CodeId(4), 5), kMain});
  rings_.sample(1, kStart + 9'500'000,
                {Frame::in_code(FrameKind::kReadyToRun, CodeId(5), 5), kUndeclared, kMain});
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(threads_.back().id, ThreadId(8));
  EXPECT_EQ(threads_.back().tid, 80u);
  EXPECT_EQ(threads_.back().start_us, 9000u);
  for (const uint32_t code_id : {3u, 4u, 5u}) EXPECT_EQ(code.count(CodeId(code_id)), 1u) << code_id;
  EXPECT_THAT(message_, HasSubstr("4 frames in code that had not been named"));
  expect_accounts();
}

// The memory goes on counting where another recording of the same stream has begun.
TEST_F(RecoveryTest, InALaterRecordingOnlyItsOwnIsCounted) {
  std::string next;
  wire::encode(wire::Counters{30, 7, 2, {0, 5, 0, 0, 0}, 1000, 0, 0, 0, 40, 0, {}}, next);
  wire::encode(wire::End{30}, next);
  wire::Session s;
  s.monotonic_start_ns = kStart + 2'500'000;
  wire::encode(s, next);
  ASSERT_TRUE(store(next).ok());
  wire::SlotHeader* slot = rings_.arm(3, 7, 70);
  for (const uint64_t ms : {1, 2, 3, 4}) rings_.sample(3, kStart + ms * 1'000'000, {kMain});
  slot->cpu().attempts += 6;
  slot->cpu().drops[static_cast<size_t>(DropCause::kThrottled)] = 6;
  slot->ticks().cost_ns = 1500;
  decoder_ = recording::Decoder();
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(samples_seen_.size(), 1u);
  EXPECT_THAT(samples_seen_[0].time_us, ElementsAre(500, 1500));
  EXPECT_EQ(threads_.back().id, ThreadId(7)) << "declared again, for this recording had not declared it";
  EXPECT_EQ(counters.samples, 2u);
  EXPECT_EQ(dropped(DropCause::kThrottled), 1u);
  EXPECT_EQ(dropped(DropCause::kKilled), 0u);
  EXPECT_EQ(counters.handler_ns, 500u);
  EXPECT_EQ(counters.attempts, 3u);
  expect_accounts();
}

TEST_F(RecoveryTest, NothingLeftBehindIsNothingToReport) {
  rings_.arm(0, 7, 70);
  rings_.sample(0, kStart, {kMain});
  rings_.sample(0, kStart, {kMain});
  ASSERT_TRUE(recover().ok());
  EXPECT_TRUE(samples_seen_.empty());
  EXPECT_EQ(message_, "");
  expect_accounts();
}

TEST_F(RecoveryTest, WhatMakesNoSenseIsLeftAndCounted) {
  const auto damages = {
      +[](wire::RawSample* s) { s->end = static_cast<wire::WalkEnd>(99); },
      +[](wire::RawSample* s) { s->flags = 0x80; },
      +[](wire::RawSample* s) { s->time_ns = ~uint64_t{0}; },
      +[](wire::RawSample* s) { s->value = ~uint64_t{0}; },
      +[](wire::RawSample* s) { s->size = 12; },
      +[](wire::RawSample* s) { s->frames = 0x20000000; },
      +[](wire::RawSample* s) { reinterpret_cast<Frame*>(s + 1)->bits = 0; },
      +[](wire::RawSample* s) { reinterpret_cast<Frame*>(s + 1)->bits = uint64_t{15} << 60; },
  };
  uint32_t thread = 20;
  for (const auto damage : damages) {
    rings_.arm(thread, thread, thread);
    rings_.sample(thread, kStart + 1'000, {kMain});
    damage(rings_.sample(thread, kStart + 2'000, {kMain}));
    ++thread;
  }
  ASSERT_TRUE(recover().ok());
  EXPECT_EQ(samples_seen_.size(), damages.size());
  EXPECT_EQ(dropped(DropCause::kCorrupt), damages.size());
  expect_accounts();
}

TEST_F(RecoveryTest, MemoryThatIsNoRings) {
  rings_.header()->version += 1;
  EXPECT_THAT(recover().message(), HasSubstr("version"));
  rings_.header()->version -= 1;
  for (const uint32_t size : {0u, 24u, 512u, 5000u, 1u << 31}) {
    rings_.header()->ring_size = size;
    EXPECT_THAT(recover().message(), HasSubstr("sizes")) << size;
  }
  rings_.header()->ring_size = TestRings::kRing;
  ASSERT_EQ(::ftruncate(rings_.fd(), 8192), 0);
  EXPECT_THAT(recover().message(), HasSubstr("sizes"));
  ASSERT_EQ(::ftruncate(rings_.fd(), 0), 0);
  EXPECT_THAT(recover().message(), HasSubstr("cannot be read"));
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const base::Fd reader(ends[0]), writer(ends[1]);
  EXPECT_THAT(RingFile::open(reader.get()).message(), HasSubstr("not memory"));
}

TEST_F(RecoveryTest, MoreThanAnAgentHasIsLeft) {
  TestRings large(16 << 20);
  for (uint32_t i = 0; i < large.header()->slots; ++i) {
    large.arm(i, 100 + i, 1);
    large.sample(i, kStart, {kMain});
    large.sample({i, kStart, {kMain}, wire::Lane::kCallback, kOther, {1, 2}, {3}});
  }
  base::Result<RingFile> file = RingFile::open(large.fd());
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(Recovery(*this, decoder_.nodes(), files_)
                  .run(*file, [this](std::string_view r) { return store(r); })
                  .ok());
  EXPECT_EQ(samples_seen_.size(), 8u) << "of a ring of each lane in 256 MiB";
  EXPECT_THAT(message_, HasSubstr("more than"));
  EXPECT_EQ(counters.samples, samples);
}

}  // namespace
}  // namespace walkabout::cli
