// Events beside CPU time: of each lane, and sums.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <utility>
#include <vector>

#include "collect/test_recovery.h"
#include "wire/test_values.h"

namespace walkabout::cli {
namespace {

using testing::DropCause;
using ::testing::ElementsAre;
using testing::Frame;
using ::testing::HasSubstr;
using testing::kMain;
using testing::kOther;
using testing::kStart;
using testing::TestRings;
using testing::ThreadId;

struct OtherSources : testing::RecoveryFixture {
  OtherSources() {
    std::string stream;
    wire::encode(wire::testing::two_values_and_a_label(kOther), stream);
    EXPECT_TRUE(store(stream).ok());
  }
  // As the stream has samples of kOther.
  void emit_samples(wire::SampleOrigin origin, std::vector<uint64_t> times_us, uint32_t thread = 7) {
    wire::Samples record;
    record.thread = ThreadId(thread);
    record.source = kOther;
    record.origin = origin;
    record.stack.assign(times_us.size(), base::StackId(1));
    record.values.assign(2 * times_us.size(), 5);
    record.labels.assign(times_us.size(), 1);
    record.time_us = std::move(times_us);
    std::string stream;
    wire::encode(record, stream);
    EXPECT_TRUE(store(stream).ok());
    samples_seen_.clear();
  }
  TestRings::Captured captured(wire::Lane lane, uint64_t ms) {
    return {3, kStart + ms * 1'000'000, {kMain}, lane, kOther, {ms, 10 * ms}, {100 * ms}};
  }
  const wire::Samples* seen(wire::SampleOrigin origin, uint32_t thread = 7) const {
    for (const wire::Samples& record : samples_seen_) {
      if (record.source == kOther && record.origin == origin && record.thread == ThreadId(thread))
        return &record;
    }
    return nullptr;
  }
  void expect_account(uint64_t samples_expected, uint64_t killed) const {
    ASSERT_EQ(counters.sources.size(), 1u);
    const wire::SourceCounters& account = counters.sources[0];
    EXPECT_EQ(account.source, kOther);
    EXPECT_EQ(account.samples, samples_expected);
    EXPECT_EQ(account.drops.at(static_cast<size_t>(DropCause::kKilled)), killed);
    uint64_t sum = account.samples;
    for (const uint64_t d : account.drops) sum += d;
    EXPECT_EQ(account.attempts, sum);
  }
};

// Of each lane and source what the stream did not have. Broken by one number for a thread: the stream had
// two of CPU time, one of the riders, and three of the callbacks.
TEST_F(OtherSources, OfEachLaneWhatDidNotComeThroughTheStream) {
  emit_samples(wire::SampleOrigin::kTick, {10});
  emit_samples(wire::SampleOrigin::kCallback, {10, 11, 12});
  rings_.arm(3, 7, 70);
  for (const uint64_t ms : {1, 2, 3}) {
    rings_.sample(3, kStart + ms * 1'000'000, {kMain});
    rings_.sample(captured(wire::Lane::kHandler, ms));
    rings_.sample(captured(wire::Lane::kCallback, 10 * ms));
    rings_.sample(captured(wire::Lane::kCallback, 10 * ms + 5));
  }
  rings_.slot(3)->lane(wire::Lane::kCallback).of(kOther).attempts += 1;  // it was in the middle
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(samples_seen_.size(), 3u);
  const wire::Samples* riders = seen(wire::SampleOrigin::kTick);
  ASSERT_NE(riders, nullptr);
  EXPECT_THAT(riders->time_us, ElementsAre(2000, 3000));
  EXPECT_THAT(riders->values, ElementsAre(2, 3, 20, 30));
  EXPECT_THAT(riders->labels, ElementsAre(200, 300));
  const wire::Samples* called = seen(wire::SampleOrigin::kCallback);
  ASSERT_NE(called, nullptr);
  EXPECT_THAT(called->time_us, ElementsAre(25000, 30000, 35000));
  expect_account(4 + 5, 1);
  expect_accounts();
}

// A thread of the agent's wrote of two others, of which the stream knew one.
TEST_F(OtherSources, WhatOneThreadWroteOfOthersIsTheirs) {
  emit_samples(wire::SampleOrigin::kObserver, {10, 11});
  rings_.arm(3, 50, 55);
  for (const uint32_t n : {0, 1, 2, 3}) {
    TestRings::Captured sample = captured(wire::Lane::kCallback, 1 + n);
    sample.subject = 7;
    sample.number = n;
    rings_.sample(sample);
    sample.subject = 8;
    rings_.sample(sample);
  }
  threads_.clear();
  ASSERT_TRUE(recover().ok());
  ASSERT_NE(seen(wire::SampleOrigin::kObserver, 7), nullptr);
  EXPECT_THAT(seen(wire::SampleOrigin::kObserver, 7)->time_us, ElementsAre(3000, 4000));
  ASSERT_NE(seen(wire::SampleOrigin::kObserver, 8), nullptr);
  EXPECT_THAT(seen(wire::SampleOrigin::kObserver, 8)->time_us, ElementsAre(1000, 2000, 3000, 4000));
  ASSERT_EQ(threads_.size(), 1u);
  EXPECT_EQ(threads_[0].id, ThreadId(8));
  expect_account(8, 0);
}

// Broken by a program that dies at once: the type of what it threw has no name.
TEST_F(OtherSources, NotesHaveTheTextsThatTheStreamDidNotHave) {
  constexpr base::SourceId kThrows(3);
  wire::Source source;
  source.id = kThrows;
  source.values = {{"events", "count"}};
  source.labels = {{"type", static_cast<uint32_t>(wire::LabelType::kType)},
                   {"message", static_cast<uint32_t>(wire::LabelType::kMessage)},
                   {"line", 0}};
  std::string stream;
  wire::encode(source, stream);
  wire::encode(wire::Text{base::TextId(5), "Known", {}}, stream);
  ASSERT_TRUE(store(stream).ok());
  texts_.clear();
  rings_.note_text(base::TextId(5), u"Known");
  rings_.note_text(base::TextId(6), u"Expected");
  rings_.note_text(base::TextId(7), u"nobody handles this");
  rings_.arm(3, 7, 70);
  for (const uint64_t type : {5, 6, 8, 0})
    rings_.sample({3, kStart, {kMain}, wire::Lane::kCallback, kThrows, {1}, {type, 7, 6}});
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(texts_.size(), 2u);
  EXPECT_EQ(texts_[0].text, "Expected");
  EXPECT_EQ(texts_[1].message, "nobody handles this");
  EXPECT_THAT(message_, HasSubstr("names of types or methods, or messages, that are not known: 1"));
}

// Broken by a storm that is cut off: what was added since the last pass is in no sample.
TEST_F(OtherSources, SumsThatDidNotComeThroughTheStream) {
  emit_samples(wire::SampleOrigin::kTally, {10});
  rings_.sum(5, 7, kOther, {30, 3}, {11});
  rings_.sum(6, 7, kOther, {40, 4}, {12});
  rings_.sum(7, 8, kOther, {50, 5}, {11});  // of a thread that the stream has not heard of yet
  rings_.arm(4, 8, 80);
  wire::SumRow* damaged = rings_.sum(8, 7, kOther, {1, 2}, {11});
  damaged->values[1] = ~uint64_t{0};
  rings_.sums()->lost[kOther.value - 1] = 6;
  threads_.clear();
  ASSERT_TRUE(recover().ok());
  const wire::Samples* sums = seen(wire::SampleOrigin::kTally);
  ASSERT_NE(sums, nullptr);
  EXPECT_THAT(sums->values, ElementsAre(30, 40, 3, 4));
  EXPECT_THAT(sums->labels, ElementsAre(11, 12));
  EXPECT_THAT(frames(sums->stack.at(0)), ElementsAre(Frame::not_walked()));
  ASSERT_NE(seen(wire::SampleOrigin::kTally, 8), nullptr);
  ASSERT_EQ(threads_.size(), 1u);
  EXPECT_EQ(threads_[0].id, ThreadId(8));
  EXPECT_EQ(threads_[0].tid, 80u);
  expect_account(1 + 3, 0);
  EXPECT_EQ(counters.sources[0].drops.at(static_cast<size_t>(DropCause::kCorrupt)), 1u);
  EXPECT_EQ(counters.sources[0].drops.at(static_cast<size_t>(DropCause::kRingFull)), 6u);
  EXPECT_THAT(message_, HasSubstr("the last 3 samples came from the program's memory"));
}

TEST_F(OtherSources, WhatTheSourceDoesNotHaveIsDamage) {
  uint32_t slot = 10;
  for (const auto& [values, labels, source] :
       std::vector<std::tuple<std::vector<uint64_t>, std::vector<uint64_t>, uint32_t>>{
           {{1}, {1}, 2},
           {{1, 2}, {}, 2},
           {{1, 2, 3}, {1}, 2},
           {{1, ~uint64_t{0}}, {1}, 2},
           {{1, 2}, {1}, 5}}) {
    rings_.arm(slot, slot, slot);
    rings_.sample({slot, kStart, {kMain}, wire::Lane::kCallback, base::SourceId(source), values, labels});
    ++slot;
  }
  rings_.arm(slot, slot, slot);
  rings_.sample({slot, kStart, {kMain}, wire::Lane::kCallback});  // CPU time is what ticks count
  ASSERT_TRUE(recover().ok());
  EXPECT_TRUE(samples_seen_.empty());
  EXPECT_EQ(counters.sources.at(0).drops.at(static_cast<size_t>(DropCause::kCorrupt)), 4u);
  EXPECT_EQ(dropped(DropCause::kCorrupt), 1u);
}

}  // namespace
}  // namespace walkabout::cli
