// Async stacks on their way into the stream.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "agent/core/async_learner.h"
#include "agent/core/fake_managed_code.h"
#include "agent/core/spooler.h"
#include "agent/core/test_spooler.h"
#include "clr/abi/null_info.h"
#include "wire/encode.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

using namespace testing;
using wire::Frame;

struct SpoolerAsync : SpoolerTest {
  // A stack of two stubs with these awaiters.
  void write(uint32_t joint, const std::vector<Frame>& awaiters, uint32_t unseen = 0) {
    const auto stub = [](uint64_t at) { return Frame::at_address(wire::FrameKind::kStub, at); };
    std::vector<Frame> words{stub(0x1000), stub(1)};
    words.insert(words.end(), awaiters.begin(), awaiters.end());
    wire::Producer producer(shared);
    const auto size = static_cast<uint32_t>(sizeof(wire::RawSample) + words.size() * sizeof(Frame));
    auto* sample = new (producer.begin(size)) wire::RawSample;
    sample->size = size;
    sample->type = static_cast<uint8_t>(wire::RawType::kSample);
    sample->value = kWeightNs;
    sample->frames = 2;
    sample->async_joint = joint;
    sample->async_unseen = unseen;
    sample->awaiters = static_cast<uint8_t>(awaiters.size());
    std::copy(words.begin(), words.end(), reinterpret_cast<Frame*>(sample + 1));
    shared->cpu().attempts += 1;
    shared->cpu().samples += 1;
    producer.commit(size);
  }
  std::string spooled() {
    const std::string path = ::testing::TempDir() + "async-" + std::to_string(::getpid());
    StreamOut out(world.host);
    EXPECT_TRUE(out.create(path).ok());
    Spooler spooler(
        {world.registry, world.threads, out, &info, nullptr, nullptr, nullptr, learner.get(), &owed},
        wire::Session{}, Spooler::Options());
    EXPECT_TRUE(spooler.start(1).ok());
    spooler.stop(10'000, 0);
    return taken_from(path);
  }
  base::CodeId awaiting(const std::string& type) {
    clr::MethodName name;
    name.type = type;
    name.method = "MoveNext";
    name.module = "App.dll";
    return world.registry.async_method(name);
  }
  static Frame at(base::CodeId code, uint32_t await) {
    return Frame::in_code(wire::FrameKind::kJitted, code, await);
  }

  clr::NullICorProfilerInfo15 info;
  OwedAwaiters owed;
  std::unique_ptr<AsyncLearner> learner = std::make_unique<AsyncLearner>(world.registry, &info);
};

bool holds(const std::string& stream, const auto& record) {
  return stream.find(encoded(record)) != std::string::npos;
}

TEST_F(SpoolerAsync, ChainIsAStackOfItsOwn) {
  shared = world.arm_self().shared;
  const base::CodeId inner = awaiting("App.C+<Inner>d__1"), outer = awaiting("App.C+<Outer>d__2");
  write(1, {at(inner, 3), at(outer, 0)});
  write(0, {});
  write(2, {});
  const std::string stream = spooled();
  wire::Samples expected;
  expected.thread = base::ThreadId(1);
  expected.time_us = {0, 0, 0};
  expected.values = {10'000'000, 10'001'000, 10'001'000};
  expected.stack = {base::StackId(2), base::StackId(2), base::StackId(2)};
  expected.async_joint = {1, 0, 2};
  expected.awaiter = {base::StackId(4), {}, {}};
  EXPECT_TRUE(holds(stream, expected));
  EXPECT_NE(stream.find("<Outer>d__2"), std::string::npos);
  EXPECT_NE(stream.find("<Inner>d__1"), std::string::npos);
}

// The handler had not known the leaf; nobody compiled it as an async method.
TEST_F(SpoolerAsync, WhatTurnsOutToBeOrdinaryHasNoChain) {
  shared = world.arm_self().shared;
  write(1, {Frame::async_unknown(wire::AsyncUnknown::kNoMachine)}, 1);
  const std::string stream = spooled();
  wire::Samples expected;
  expected.thread = base::ThreadId(1);
  expected.time_us = {0};
  expected.values = {10'000'000};
  expected.stack = {base::StackId(2)};
  EXPECT_TRUE(holds(stream, expected));
}

// What the sample's thread owed was found when it went on: there, and in a stack of the same callers only.
TEST_F(SpoolerAsync, AnswerTakesThePlaceOfItsTicket) {
  shared = world.arm_self().shared;
  const base::CodeId outer = awaiting("App.C+<Outer>d__2");
  const std::vector<Frame> frames{Frame::at_address(wire::FrameKind::kStub, 0x1000),
                                  Frame::at_address(wire::FrameKind::kStub, 1)};
  const unwind::Registers registers;
  const unwind::Memory memory;
  owed.stop();
  const uint64_t ticket = owed.owe(&owed, {registers, memory, frames, {}, 0, 0});
  ASSERT_NE(ticket, 0u);
  owed.answer([&](const unwind::WalkedStackView& stack, std::span<Frame> to) {
    EXPECT_EQ(stack.frames.size(), frames.size());
    to[0] = at(outer, 3);
    return unwind::AsyncStack{1, 1, 0};
  });
  write(1, {Frame::async_owed(ticket)});
  write(1, {Frame::async_owed(ticket + 1)});
  const std::string stream = spooled();
  wire::Samples expected;
  expected.thread = base::ThreadId(1);
  expected.time_us = {0, 0};
  expected.values = {10'000'000, 10'001'000};
  expected.stack = {base::StackId(2), base::StackId(2)};
  expected.async_joint = {1, 1};
  expected.awaiter = {base::StackId(3), base::StackId(4)};
  EXPECT_TRUE(holds(stream, expected));
  EXPECT_NE(stream.find("<Outer>d__2"), std::string::npos);
}

TEST_F(SpoolerAsync, WithoutALearnerNothingIsSaid) {
  learner.reset();
  shared = world.arm_self().shared;
  write(1, {Frame::async_unknown(wire::AsyncUnknown::kClass)});
  wire::Samples expected;
  expected.thread = base::ThreadId(1);
  expected.time_us = {0};
  expected.values = {10'000'000};
  expected.stack = {base::StackId(2)};
  EXPECT_TRUE(holds(spooled(), expected));
}

}  // namespace
}  // namespace walkabout::agent
