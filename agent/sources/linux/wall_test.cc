#include "agent/sources/linux/wall.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "agent/linux/session/tick_world.h"
#include "clr/abi/null_info.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kPeriodNs = 1'000'000;
constexpr unsigned kManyPeriodsUs = 30'000;

std::string taken_from(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string all{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  return all;
}

// Broken by looks that open files there: the program's next number would be another for a moment.
TEST(WallSource, WhereTheAgentHasNoTableOfItsOwnItLooksAtNobodyAndReportsIt) {
  testing::TickWorld world(testing::engines().front());
  ASSERT_TRUE(world.ok());
  ASSERT_FALSE(world.host.apart());
  world.arm_self();
  const std::string path = ::testing::TempDir() + "wall-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  const CollectingThread collecting;
  TextTable texts;
  Tally tally;
  {
    Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, Spooler::Options());
    WallSource wall;
    EXPECT_TRUE(wall.start({world.threads, spooler, collecting, texts, tally, nullptr, 0, kPeriodNs}).ok())
        << "other sources go on";
    EXPECT_TRUE(spooler.start(1).ok());
    ::usleep(kManyPeriodsUs);
    EXPECT_EQ(world.threads.slot_count(), 1u) << "nobody writes samples";
    wall.stop();
    spooler.stop(10'000, 0);
  }
  EXPECT_NE(taken_from(path).find("no wall-clock time is sampled"), std::string::npos);
}

// Broken by passes that go on: the rings fill, and the end waits for room that nobody makes.
TEST(WallSource, WhereNothingCanBeWrittenAnyMoreItLooksAtNobody) {
  const auto engine = testing::engines().front();
  testing::TickWorld world(engine);  // the handler
  DescriptorHost host;
  ASSERT_TRUE(host.start().ok());
  if (!host.apart()) GTEST_SKIP() << "no table of its own here";
  RingMemory rings(host);
  ASSERT_TRUE(rings.map(1 << 20, base::monotonic_ns()).ok());
  {
    ThreadTable threads(host, rings, {engine.engine, engine.kernel_ticks, 1'000'000'000, SIGURG});
    threads.arm(testing::own_tid(), 0, true);
    clr::NullICorProfilerInfo15 info;
    StreamOut out(host);
    ASSERT_TRUE(out.create("/dev/full").ok());
    const CollectingThread collecting;
    TextTable texts;
    Tally tally;
    Spooler spooler({world.registry, threads, out, &info}, wire::Session{}, Spooler::Options());
    EXPECT_TRUE(spooler.start(1).ok());
    for (int i = 0; i < 10'000 && !spooler.broken(); ++i) ::usleep(1000);
    ASSERT_TRUE(spooler.broken());
    WallSource wall;
    EXPECT_TRUE(wall.start({threads, spooler, collecting, texts, tally, nullptr, 0, kPeriodNs}).ok());
    ::usleep(kManyPeriodsUs);
    wall.stop();
    EXPECT_EQ(threads.totals().of(wire::source_id("wall")).attempts, 0u);
    threads.stop();
    spooler.stop(10'000, 0);
  }
}

}  // namespace
}  // namespace walkabout::agent
