#include "collect/recovery.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>
#include <vector>

#include "collect/test_rings.h"
#include "precompiled/test_image.h"
#include "recording/decode.h"
#include "recording/stream_reader.h"
#include "wire/encode.h"
#include "wire/test_values.h"

namespace walkabout::cli {
namespace {

using base::CodeId;
using base::ThreadId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TestRings;
using wire::DropCause;
using wire::Frame;
using wire::FrameKind;

constexpr uint64_t kStart = 5'000'000'000;
constexpr Frame kMain = Frame::in_code(FrameKind::kNative, CodeId(1), 0x10);
constexpr Frame kNamed = Frame::in_code(FrameKind::kJitted, CodeId(2), 0x20);
constexpr Frame kUndeclared = Frame::in_code(FrameKind::kJitted, CodeId(3), 0x30);

// What a reader of the recording sees: the stream so far, then what was recovered.
class RecoveryTest : public ::testing::Test, public StreamState {
 protected:
  RecoveryTest() {
    std::string stream;
    wire::Session s;
    s.monotonic_start_ns = kStart;
    wire::encode(s, stream);
    wire::encode(wire::Module{CodeId(1), wire::ModuleKind::kElf, "/lib/a.so", "", 0, 0, 0}, stream);
    wire::encode(wire::JitCode{CodeId(2), base::MethodId(1), wire::Tier::kTier1, 0, 0, 0}, stream);
    wire::encode(wire::Thread{ThreadId(7), 70, "main", "", wire::ThreadKind::kManaged, 0}, stream);
    wire::encode(wire::Nodes{{0}, {kMain}}, 1, stream);
    wire::encode(wire::Samples{ThreadId(7), {10, 20}, {1, 1}, {base::StackId(1), base::StackId(1)}, {}, {}},
                 stream);
    EXPECT_TRUE(store(stream).ok());
    samples_seen_.clear();
  }

  base::Status store(std::string_view records) {
    recording::StreamReader reader;
    reader.push(records);
    for (;;) {
      auto record = reader.next();
      if (!record.ok() || !record->has_value()) return record.status();
      if (base::Status s = decoder_.decode(**record, *this); !s.ok()) return s;
    }
  }
  base::Status recover() {
    base::Result<RingFile> file = RingFile::open(rings_.fd());
    if (!file.ok()) return file.status();
    return Recovery(*this, decoder_.nodes(), files_).run(*file, [this](std::string_view r) {
      return store(r);
    });
  }
  uint64_t dropped(DropCause cause) const { return counters.drops.at(static_cast<size_t>(cause)); }
  void expect_accounts() const {
    uint64_t sum = counters.samples;
    for (const uint64_t d : counters.drops) sum += d;
    EXPECT_EQ(counters.attempts, sum);
    EXPECT_EQ(counters.samples, samples);
  }

  void on_thread(const wire::Thread& r) override {
    StreamState::on_thread(r);
    threads_.push_back(r);
  }
  void on_nodes(const wire::Nodes& r, uint32_t first) override {
    stacks_.resize(first);
    parents_.resize(first);
    stacks_.insert(stacks_.end(), r.frame.begin(), r.frame.end());
    parents_.insert(parents_.end(), r.parent.begin(), r.parent.end());
  }
  void on_samples(const wire::Samples& r) override {
    StreamState::on_samples(r);
    samples_seen_.push_back(r);
  }
  void on_text(const wire::Text& r) override {
    StreamState::on_text(r);
    texts_.push_back(r);
  }
  void on_message(const wire::Message& r) override { message_ = r.text; }
  void on_thread_end(const wire::ThreadEnd& r) override {
    StreamState::on_thread_end(r);
    ends_.push_back(r);
  }
  void on_method(const wire::Method& r) override {
    StreamState::on_method(r);
    methods_.push_back(r);
  }
  // At 2.5 ms, of the two samples that came through the stream.
  base::Status store_counters(uint64_t agent_threads_ns) {
    wire::Counters counted;
    counted.time_us = 2'500;
    counted.process_cpu_ns = 40'000'000;
    counted.agent_threads_ns = agent_threads_ns;
    counted.samples = 2;
    counted.attempts = 2;
    std::string record;
    wire::encode(counted, record);
    return store(record);
  }
  // Leaf first.
  std::vector<Frame> frames(base::StackId id) const {
    std::vector<Frame> all;
    for (uint32_t node = id.value; node != 0; node = parents_[node]) all.push_back(stacks_[node]);
    return all;
  }

  TestRings rings_;
  symbols::FileRoot files_;
  recording::Decoder decoder_;
  std::vector<wire::Thread> threads_;
  std::vector<wire::Method> methods_;
  std::vector<wire::Text> texts_;
  std::vector<wire::ThreadEnd> ends_;
  std::vector<Frame> stacks_;
  std::vector<uint32_t> parents_;
  std::vector<wire::Samples> samples_seen_;
  std::string message_;
};

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

constexpr base::SourceId kOther(2);

struct OtherSources : RecoveryTest {
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

std::string note_of(CodeId code, const std::string& method) {
  std::string records;
  wire::encode(wire::Method{base::MethodId(1), "Demo", method, "", "", 0}, records);
  wire::encode(wire::JitCode{code, base::MethodId(1), wire::Tier::kTier0, 0x1000, 0x100, 0}, records);
  return records;
}

TEST_F(RecoveryTest, NotesNameWhatTheStreamHadNotDeclared) {
  rings_.arm(3, 7, 70);
  rings_.note(note_of(CodeId(2), "SaidAlready"));
  rings_.note(note_of(CodeId(3), "Compiled"));
  rings_.note(note_of(CodeId(9), "NeverSampled"));
  for (const uint64_t ms : {1, 2, 3}) rings_.sample(3, kStart + ms * 1'000'000, {kUndeclared, kNamed, kMain});
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(methods_.size(), 1u);
  EXPECT_EQ(methods_[0].method, "Compiled");
  EXPECT_TRUE(has_name(kUndeclared));
  EXPECT_THAT(message_, ::testing::Not(HasSubstr("named")));
}

// Of code that no image's method is at, that there is some is all that is known.
TEST_F(RecoveryTest, FilesNameReadyToRunCode) {
  const std::string path = ::testing::TempDir() + "recovery_test." + std::to_string(::getpid()) + ".dll";
  const std::vector<uint8_t> bytes = precompiled::testing::TestImage().bytes;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const auto image = precompiled::PeFile::read(bytes);
  wire::Module module{CodeId(4), wire::ModuleKind::kReadyToRun, path, "", 0, image->image_size(), 0};
  module.build_id = image->identity();
  session.runtime = ".NET 10.0.12";
  std::string note;
  wire::encode(module, note);
  rings_.note(note);
  rings_.arm(3, 7, 70);
  const Frame run = Frame::in_code(FrameKind::kReadyToRun, CodeId(4), precompiled::testing::kCode + 4);
  const Frame nothing = Frame::in_code(FrameKind::kReadyToRun, CodeId(4), 0x10);
  for (const uint64_t ms : {1, 2, 3, 4}) rings_.sample(3, kStart + ms * 1'000'000, {run, kMain});
  rings_.sample(3, kStart + 5'000'000, {nothing});
  ASSERT_TRUE(recover().ok());
  std::filesystem::remove(path);
  ASSERT_EQ(methods_.size(), 1u);
  EXPECT_EQ(methods_[0].type + "." + methods_[0].method, "N.Plain.Run");
  EXPECT_TRUE(has_name(run));
  EXPECT_FALSE(has_name(nothing));
  EXPECT_THAT(message_, HasSubstr("1 frame in code that had not been named yet"));
}

TEST_F(RecoveryTest, NotesThatGaveWayAreCounted) {
  rings_.arm(3, 7, 70);
  rings_.notes()->lost = 5;
  for (const uint64_t ms : {1, 2, 3}) rings_.sample(3, kStart + ms * 1'000'000, {kUndeclared});
  ASSERT_TRUE(recover().ok());
  EXPECT_THAT(message_,
              HasSubstr("1 frame in code that had not been named yet (5 names had given way to newer ones)"));
}

TEST_F(RecoveryTest, NotesThatMakeNoSenseNameNothing) {
  rings_.arm(3, 7, 70);
  rings_.note(note_of(CodeId(3), "Compiled"));
  rings_.notes()->begin = 3;  // in the middle of an entry
  for (const uint64_t ms : {1, 2, 3}) rings_.sample(3, kStart + ms * 1'000'000, {kUndeclared});
  ASSERT_TRUE(recover().ok());
  EXPECT_TRUE(methods_.empty());
  rings_.notes()->begin = 1u << 30;
  EXPECT_TRUE(recover().ok());
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
