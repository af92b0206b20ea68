// Code that is reported behind the tick, and names that take their time.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "agent/core/spooler.h"
#include "agent/core/test_spooler.h"
#include "clr/abi/null_info.h"
#include "wire/encode.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

using namespace testing;

struct ReportedLate : SpoolerTest, ::testing::WithParamInterface<wire::FrameKind> {};

// A method that was reported behind the tick. Where the walk left it by a guess, its callers may be missing;
// where it left it by the method's own unwind data, they are certain.
TEST_P(ReportedLate, OnlyBehindAGuessMayCallersBeMissing) {
  const testing::FakeManagedCode code;
  world.registry.jitted(code.event(0x1230));
  const bool guessed = GetParam() == wire::FrameKind::kStub;
  const std::string path = ::testing::TempDir() + "late-" + std::to_string(::getpid());
  shared = world.arm_self().shared;
  write_sample(shared,
               std::array{wire::Frame::at_address(GetParam(), code.start() + 4),
                          wire::Frame::at_address(wire::FrameKind::kStub, 1)},
               false);
  EXPECT_EQ(spool(path, Spooler::Options()), 1u);
  wire::Samples expected;
  expected.thread = base::ThreadId(1);
  expected.time_us = {0};
  expected.values = {10'000'000};
  expected.stack = {base::StackId(guessed ? 3 : 2)};  // the gap is a node
  if (guessed) expected.end = {wire::WalkEnd::kGap};
  std::string record;
  wire::encode(expected, record);
  EXPECT_NE(taken_from(path).find(record), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Walks, ReportedLate,
                         ::testing::Values(wire::FrameKind::kStub, wire::FrameKind::kUnreported));

// Broken by writing what there is at once: the frame has no name then.
TEST_F(SpoolerTest, AMethodThatIsNotReportedYetIsWaitedFor) {
  const testing::FakeManagedCode code;
  const std::string path = ::testing::TempDir() + "awaited-" + std::to_string(::getpid());
  shared = world.arm_self().shared;
  const auto frame = wire::Frame::at_address(wire::FrameKind::kUnreported, code.start() + 4);
  write_sample(shared, {}, false);
  write_sample(shared, std::array{frame}, false, base::monotonic_ns() + kNoTicks);
  write_sample(shared, {}, false);
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, Spooler::Options());
  ASSERT_TRUE(spooler.start(1).ok());
  while (shared->ticks().taken[0] < 1) ::usleep(1000);
  ::usleep(50'000);
  EXPECT_EQ(shared->ticks().taken[0], 1u);
  world.registry.jitted(code.event(0x1230));
  while (shared->ticks().taken[0] < 3) ::usleep(1000);
  spooler.stop(10'000, 0);
  const std::string written = taken_from(path);
  std::string nameless;
  wire::encode(wire::Nodes{{0}, {frame.as_unnamed()}}, 1, nameless);
  EXPECT_EQ(written.find(nameless), std::string::npos);
}

// Uses 60 ms of CPU time for each name.
struct SlowRuntime : clr::NullICorProfilerInfo15 {
  clr::HRESULT GetFunctionInfo2(clr::FunctionID, clr::COR_PRF_FRAME_INFO, clr::ClassID*, clr::ModuleID*,
                                uint32_t*, uint32_t, uint32_t*, clr::ClassID*) override {
    testing::burn_ns(60'000'000);
    return clr::E_FAIL;
  }
};

// 1,440 ms of work against two timeouts of 500 ms. Broken by giving up after a time: a busy machine gave the
// spooler too little of a processor in it.
TEST_F(SpoolerTest, WhoGetsOnSlowlyIsWaitedFor) {
  std::vector<std::unique_ptr<testing::FakeManagedCode>> codes;
  std::vector<wire::Frame> frames;
  shared = world.arm_self().shared;
  for (int i = 0; i < 24; ++i) {
    const auto& code = *codes.emplace_back(std::make_unique<testing::FakeManagedCode>());
    world.registry.jitted(code.event(0x1230 + static_cast<uint64_t>(i)));
    const unwind::ReaderGate::Reader inside(world.registry.gate());
    const base::CodeId id(world.registry.jitted().find(code.start())->code.load());
    frames.push_back(wire::Frame::in_code(wire::FrameKind::kJitted, id, 4));
  }
  const std::string path = ::testing::TempDir() + "slowly-" + std::to_string(::getpid());
  SlowRuntime info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, Spooler::Options());
  ASSERT_TRUE(spooler.start(1'000'000).ok());
  write_sample(shared, frames);
  EXPECT_TRUE(spooler.stop(500, 0));
  EXPECT_FALSE(spooler.broken());
  EXPECT_EQ(shared->ticks().taken[0], 1u);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace walkabout::agent
