#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "agent/trace/linux/switch_pages.h"
#include "agent/trace/test_traces.h"

namespace walkabout::agent::testing {
namespace {

// 0: calls in a child that the program forked are no calls, and do no harm.
int call_in_child(uint64_t token) {
  const pid_t child = ::fork();
  if (child == 0) {
    walkabout_trace_leave(token, kTraceReturned);
    const uint64_t more = walkabout_trace_enter(2);
    walkabout_trace_leave(more, kTraceReturned);
    walkabout_trace_begin(3);
    walkabout_trace_end(3);
    walkabout_trace_pause(walkabout_trace_resume(4, 7), kTraceReturned, 7);
    note_traced_allocation(1);
    ::_exit(more == 0 ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TEST(TracedCallLinuxTest, AChildThatIsForkedTracesNothing) {
  TestReader reader;
  DescriptorHost host;
  SwitchPages pages(host);
  CallTracing tracing(reader, &pages);
  ASSERT_TRUE(tracing.begin({}, base::monotonic_ns()).ok());
  pages.thread_begins();
  {
    const TestScope scope(1);
    EXPECT_EQ(call_in_child(scope.token()), 0);
  }
  std::thread([] { EXPECT_EQ(call_in_child(0), 0); }).join();  // of one that never traced
  std::string records;
  tracing.end(1, &records);
  TestTrace trace;
  trace.read(records);
  EXPECT_EQ(trace.calls_of("1"), 1u);
  EXPECT_EQ(trace.calls_of("2"), 0u);
}

TEST(TracedCallLinuxTest, RecordingsBeginAndEndWhileThreadsCall) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (uint64_t call = 0; !stop.load(); ++call) {
        const TestScope outer(1), inner(2 + call % 5);
        walkabout_trace_pause(walkabout_trace_resume(9, 0), kTraceReturned, call);
        walkabout_trace_pause(walkabout_trace_resume(9, call), kTraceReturned, 0);
        if (call % 1000 == 0) std::thread([] { const TestScope other(8); }).join();
      }
    });
  TestReader reader;
  DescriptorHost host;
  SwitchPages pages(host);
  uint64_t calls = 0;
  for (int recording = 0; recording < 20; ++recording) {
    CallTracing tracing(reader, recording % 2 == 0 ? &pages : nullptr);
    TraceOptions options;
    options.keeps_slow = true;
    options.latency_ns = 2000;
    ASSERT_TRUE(tracing.begin(options, base::monotonic_ns()).ok());
    TestTrace trace;
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      std::string records;
      tracing.emit(static_cast<uint64_t>(i + 1) * 1'000'000, false, &records);
      trace.read(records);
    }
    std::string records;
    tracing.end(10'000'000, &records);
    trace.read(records);
    for (const auto& [path, times] : trace.by_path()) {
      EXPECT_TRUE(path.starts_with("1") || path == "8" || path[0] == '2' || path == "9" || path.size() <= 3)
          << path;
      calls += times.calls;
    }
  }
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(calls, 0u);
}

}  // namespace
}  // namespace walkabout::agent::testing
