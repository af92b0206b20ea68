// For tests: the rings of a killed program, and a recording that its stream has begun.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "collect/recovery.h"
#include "collect/test_rings.h"
#include "recording/decode.h"
#include "recording/stream_reader.h"
#include "wire/encode.h"

namespace walkabout::cli::testing {

using base::CodeId;
using base::ThreadId;
using wire::DropCause;
using wire::Frame;
using wire::FrameKind;

inline constexpr base::SourceId kOther(2);
inline constexpr uint64_t kStart = 5'000'000'000;
inline constexpr Frame kMain = Frame::in_code(FrameKind::kNative, CodeId(1), 0x10);
inline constexpr Frame kNamed = Frame::in_code(FrameKind::kJitted, CodeId(2), 0x20);
inline constexpr Frame kUndeclared = Frame::in_code(FrameKind::kJitted, CodeId(3), 0x30);

// What a reader of the recording sees: the stream so far, then what was recovered.
class RecoveryFixture : public ::testing::Test, public StreamState {
 protected:
  RecoveryFixture() {
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

}  // namespace walkabout::cli::testing
