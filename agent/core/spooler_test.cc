#include "agent/core/spooler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "agent/core/fake_code_heap.h"
#include "agent/core/test_spooler.h"
#include "clr/abi/null_info.h"
#include "wire/encode.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

using namespace testing;

TEST_F(SpoolerTest, AWrittenSampleLeavesItsRing) {
  const std::string path = ::testing::TempDir() + "spooled-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 3), 3u);
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
  std::remove(path.c_str());
}

TEST_F(SpoolerTest, WeightsAreWholeMicrosecondsWhoseSumIsRight) {
  const std::string path = ::testing::TempDir() + "weights-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 4), 4u);
  wire::Samples expected;  // at 10.000700, 20.001400, 30.002100 and 40.002800 ms of CPU time
  expected.thread = base::ThreadId(1);
  expected.time_us = {0, 0, 0, 0};
  expected.values = {10'000'000, 10'001'000, 10'001'000, 10'000'000};
  expected.stack.resize(4);
  expected.end.resize(4);
  expected.flags.resize(4);
  std::string record;
  wire::encode(expected, record);
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(written.find(record), std::string::npos);
  std::remove(path.c_str());
}

// With it, what the stack under way is made of is emitted again; no sample is on a node of the tree before.
TEST_F(SpoolerTest, ATreeOfStacksAtItsBoundIsFollowedByANewOne) {
  shared = world.arm_self().shared;
  for (const uint64_t leaf : {1, 2, 3}) write_sample(shared, some_stack(leaf), false);
  const std::string path = ::testing::TempDir() + "trees-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, {0, 0, kSmallTree}), 3u);
  const std::string written = taken_from(path);
  size_t at = 0;
  for (const uint64_t leaf : {1, 2, 3}) {
    const auto stack = some_stack(leaf);
    const wire::Nodes nodes{{0, 1, 2}, {stack[2], stack[1], stack[0]}, leaf != 1};
    wire::Samples expected;
    expected.thread = base::ThreadId(1);
    expected.time_us = {0};
    expected.values = {leaf * kWeightNs / 1000 * 1000 - (leaf - 1) * kWeightNs / 1000 * 1000};
    expected.stack = {base::StackId(3)};
    std::string records;
    wire::encode(nodes, 1, records);
    wire::encode(expected, records);
    at = written.find(records, at);
    ASSERT_NE(at, std::string::npos) << "stack " << leaf;
  }
}

// A stack is never divided.
TEST_F(SpoolerTest, AStackLargerThanATreeIsATree) {
  const std::string path = ::testing::TempDir() + "large-" + std::to_string(::getpid());
  shared = world.arm_self().shared;
  for (const uint64_t leaf : {1, 2}) write_sample(shared, some_stack(leaf), false);
  EXPECT_EQ(spool(path, {0, 0, 1}), 2u);
  std::string first;
  const auto stack = some_stack(1);
  wire::encode(wire::Nodes{{0, 1, 2}, {stack[2], stack[1], stack[0]}, false}, 1, first);
  EXPECT_NE(taken_from(path).find(first), std::string::npos);
}

TEST_F(SpoolerTest, ASampleThatCouldNotBeWrittenStaysForTheCollector) {
  EXPECT_EQ(spool("/dev/full", 3), 3u);
  EXPECT_EQ(shared->ticks().tail, 0u);
}

// Broken by room that is given back before: what the process had read is lost when it is killed just then.
TEST_F(SpoolerTest, ARingMoreThanHalfFullKeepsWhatWasNotWritten) {
  const int many = kRing / sizeof(wire::RawSample) * 3 / 4;
  EXPECT_EQ(spool("/dev/full", many), static_cast<uint64_t>(many));
  EXPECT_EQ(shared->ticks().tail, 0u);
}

TEST_F(SpoolerTest, ARingMoreThanHalfFullIsEmptiedOnceItWasWritten) {
  const int many = kRing / sizeof(wire::RawSample) * 3 / 4;
  const std::string path = ::testing::TempDir() + "scarce-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, many), static_cast<uint64_t>(many));
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
  std::remove(path.c_str());
}

// The program lives on for days after its collector was killed, and its code comes and goes.
TEST_F(SpoolerTest, AfterTheStreamBrokeUnloadedCodeIsErasedAllTheSame) {
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create("/dev/full").ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, {});
  ASSERT_TRUE(spooler.start(1).ok());
  const auto until = [](auto done) {
    for (int i = 0; i < 10'000 && !done(); ++i) ::usleep(1000);
    return done();
  };
  ASSERT_TRUE(until([&] { return spooler.broken(); }));
  const testing::FakeCodeHeap heap;
  clr::MethodLoad load;
  load.method_id = testing::FakeCodeHeap::kMethod;
  load.start = heap.start();
  load.size = testing::FakeCodeHeap::kSize;
  world.registry.jitted(load);
  EXPECT_EQ(world.registry.compiled_methods(), 1u);
  world.registry.unloaded({load.method_id, load.start});
  EXPECT_TRUE(until([&] { return world.registry.compiled_methods() == 0; }));
  spooler.stop(10'000, 0);
}

// Code that was not reported at the tick may be named by the time it is written; that the CLR's walk began
// below it must not be forgotten with its address.
TEST_F(SpoolerTest, WhereTheClrsWalkBeganIsWritten) {
  const wire::Frame reported = wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(7), 1);
  const wire::Frame unreported = wire::Frame::at_address(wire::FrameKind::kStub, 0x1000);
  const std::string path = ::testing::TempDir() + "seeded-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 1, std::array{unreported, unreported, reported, unreported}), 1u);
  wire::Oracle expected;
  expected.thread = base::ThreadId(1);
  expected.above_seed = 2;
  std::string record;
  wire::encode(expected, record);
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(written.find(record), std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace walkabout::agent
