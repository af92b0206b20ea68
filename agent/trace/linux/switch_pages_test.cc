#include "agent/trace/linux/switch_pages.h"

#include <atomic>
#include <thread>

#include "agent/trace/test_traces.h"
#include "agent/trace/trace_process.h"

namespace walkabout::agent::testing {
namespace {

void burn_cpu(uint64_t ns) {
  const uint64_t begin = base::thread_cpu_ns();
  while (base::thread_cpu_ns() - begin < ns) {
  }
}

void rest(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

struct SwitchPagesTest : ::testing::Test {
  // False: the kernel here allows none.
  bool begin() {
    if (!pages.begin()) return false;
    pages.end();
    EXPECT_TRUE(tracing.begin({}, base::monotonic_ns()).ok());
    return true;
  }
  void end() {
    std::string records;
    tracing.end(1, &records);
    trace.read(records);
  }
  // Of the path: that long on the processor, and not much longer than what the kernel says.
  void expect_cpu(const std::string& path, uint64_t ns, uint64_t at_most) {
    const TestTimes times = trace.by_path().at(path);
    EXPECT_GE(times.cpu, ns - ns / 1000);
    EXPECT_LE(times.cpu, at_most + at_most / 1000 + 100'000);
    EXPECT_LE(times.cpu, times.wall);
  }

  TestReader reader;
  DescriptorHost host;
  SwitchPages pages{host};
  CallTracing tracing{reader, &pages};
  TestTrace trace;
};

TEST_F(SwitchPagesTest, CpuTimesOfCallsAreWhatTheKernelCounts) {
  if (!begin()) GTEST_SKIP() << "no perf events";
  const uint64_t before = base::thread_cpu_ns();
  {
    const TestScope scope(1);
    for (int i = 0; i < 10; ++i) {
      burn_cpu(2'000'000);
      rest(2);
    }
  }
  const uint64_t all = base::thread_cpu_ns() - before;
  end();
  expect_cpu("1", 20'000'000, all);
  EXPECT_GE(trace.by_path().at("1").wall, 40'000'000u);
  EXPECT_EQ(trace.stated(12), static_cast<uint64_t>(wire::TraceCpu::kExact));
}

TEST_F(SwitchPagesTest, CpuTimeIsThatOfTheCallInWhichItWasUsed) {
  if (!begin()) GTEST_SKIP() << "no perf events";
  std::thread([] {
    const TestScope outer(1);
    burn_cpu(3'000'000);
    const TestScope inner(2);
    rest(10);
    burn_cpu(5'000'000);
    rest(1);
  }).join();
  end();
  const auto paths = trace.by_path();
  EXPECT_GE(paths.at("1").self_cpu, 2'990'000u);
  EXPECT_GE(paths.at("1/2").cpu, 4'990'000u);
  EXPECT_LE(paths.at("1/2").cpu, paths.at("1/2").wall - 10'000'000);
  EXPECT_NEAR(static_cast<double>(paths.at("1").cpu),
              static_cast<double>(paths.at("1").self_cpu + paths.at("1/2").cpu), 2);
}

TEST_F(SwitchPagesTest, AThreadThatBeginsHasItsPageAtOnce) {
  if (!begin()) GTEST_SKIP() << "no perf events";
  std::thread([this] {
    pages.thread_begins();
    const TestScope scope(1);
    EXPECT_EQ(t_trace->cpu.load(), static_cast<uint32_t>(ThreadTrace::CpuClock::kSwitches));
    const uint32_t seen = t_trace->switches.load()->load();
    rest(1);
    EXPECT_NE(t_trace->switches.load()->load(), seen);
    pages.thread_ends();
  }).join();
  end();
}

TEST_F(SwitchPagesTest, PagesOfThreadsThatEndedAreTakenAgain) {
  if (!begin()) GTEST_SKIP() << "no perf events";
  std::string records;
  for (uint32_t i = 0; i < SwitchPages::kMost + 100; ++i) {
    std::thread([this, i] {
      pages.thread_begins();
      if (i % 2 == 0) const TestScope scope(1);
      pages.thread_ends();
    }).join();
    if (i % 20 == 0) tracing.emit(i * uint64_t{1'000'000}, false, &records);
  }
  trace.read(records);
  end();
  EXPECT_EQ(trace.calls_of("1"), SwitchPages::kMost / 2 + 50);
  EXPECT_EQ(trace.stated(12), static_cast<uint64_t>(wire::TraceCpu::kExact));
}

TEST_F(SwitchPagesTest, BehindTheEndAPageIsReadableAndSaysNothing) {
  if (!pages.begin()) GTEST_SKIP() << "no perf events";
  const std::atomic<uint32_t>* own = pages.of(this_trace_thread());
  ASSERT_NE(own, nullptr);
  EXPECT_NE(own->load(), 0u);
  pages.end();
  EXPECT_EQ(own->load(), 0u);
}

}  // namespace
}  // namespace walkabout::agent::testing
