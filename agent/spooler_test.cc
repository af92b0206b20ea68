#include "agent/spooler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <new>
#include <span>
#include <string>

#include "agent/linux/tick_world.h"
#include "clr/null_info.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kNoTicks = uint64_t{1000} * 1'000'000'000;
constexpr uint32_t kRing = 64 << 10;

// As the handler would, had there been a tick. The CLR is asked where there are frames, and says nothing.
void write_sample(wire::SlotHeader* shared, std::span<const wire::Frame> frames = {}) {
  wire::Producer producer(shared);
  const auto size = static_cast<uint32_t>(sizeof(wire::RawSample) + frames.size_bytes());
  auto* sample = new (producer.begin(size)) wire::RawSample;
  sample->size = size;
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->frames = static_cast<decltype(sample->frames)>(frames.size());
  if (!frames.empty()) sample->oracle = static_cast<uint8_t>(wire::OracleState::kAsked);
  std::copy(frames.begin(), frames.end(), reinterpret_cast<wire::Frame*>(sample + 1));
  shared->attempts += 1;
  shared->samples += 1;
  producer.commit(sample->size);
}

struct SpoolerTest : ::testing::Test {
  SpoolerTest() { EXPECT_TRUE(world.ok()); }

  // Whether all samples of this thread were read; they are written to `path`.
  uint64_t spool(const std::string& path, int samples, std::span<const wire::Frame> frames = {}) {
    clr::NullICorProfilerInfo15 info;
    StreamOut out;
    EXPECT_TRUE(out.create(path).ok());
    shared = world.arm_self().shared;
    for (int i = 0; i < samples; ++i) write_sample(shared, frames);
    Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{});
    EXPECT_TRUE(spooler.start(1).ok());
    spooler.stop(10'000, 0);
    return shared->taken;
  }

  testing::TickWorld world{testing::engines().front(), kRing, kNoTicks};
  wire::SlotHeader* shared = nullptr;
};

TEST_F(SpoolerTest, AWrittenSampleLeavesItsRing) {
  const std::string path = ::testing::TempDir() + "spooled-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 3), 3u);
  EXPECT_EQ(shared->tail, shared->head);
  std::remove(path.c_str());
}

TEST_F(SpoolerTest, ASampleThatCouldNotBeWrittenStaysForTheCollector) {
  EXPECT_EQ(spool("/dev/full", 3), 3u);
  EXPECT_EQ(shared->tail, 0u);
}

TEST_F(SpoolerTest, ARingMoreThanHalfFullIsEmptiedAtOnce) {
  const int many = kRing / sizeof(wire::RawSample) * 3 / 4;
  EXPECT_EQ(spool("/dev/full", many), static_cast<uint64_t>(many));
  EXPECT_EQ(shared->tail, shared->head);
}

// Code that nobody had told of at the tick may be named by the time it is written; that the CLR's walk began
// below it must not be forgotten with its address.
TEST_F(SpoolerTest, WhereTheClrsWalkBeganIsWritten) {
  const wire::Frame told = wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(7), 1);
  const wire::Frame untold = wire::Frame::at_address(wire::FrameKind::kStub, 0x1000);
  const std::string path = ::testing::TempDir() + "seeded-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 1, std::array{untold, untold, told, untold}), 1u);
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
