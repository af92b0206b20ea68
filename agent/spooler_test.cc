#include "agent/spooler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <string>

#include "agent/linux/tick_world.h"
#include "clr/null_info.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kNoTicks = uint64_t{1000} * 1'000'000'000;
constexpr uint32_t kRing = 64 << 10;

// As the handler would, had there been a tick.
void write_sample(wire::SlotHeader* shared) {
  wire::Producer producer(shared);
  auto* sample = new (producer.begin(sizeof(wire::RawSample))) wire::RawSample;
  sample->size = sizeof(wire::RawSample);
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  shared->attempts += 1;
  shared->samples += 1;
  producer.commit(sample->size);
}

struct SpoolerTest : ::testing::Test {
  SpoolerTest() { EXPECT_TRUE(world.ok()); }

  // Whether all samples of this thread were read; they are written to `path`.
  uint64_t spool(const std::string& path, int samples) {
    clr::NullICorProfilerInfo15 info;
    StreamOut out;
    EXPECT_TRUE(out.create(path).ok());
    shared = world.arm_self().shared;
    for (int i = 0; i < samples; ++i) write_sample(shared);
    Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, {});
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

}  // namespace
}  // namespace walkabout::agent
