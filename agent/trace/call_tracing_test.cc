#include "agent/trace/call_tracing.h"

#include <thread>

#include "agent/trace/test_traces.h"

namespace walkabout::agent::testing {
namespace {

using CallTracingTest = TracingTest;

TEST_F(CallTracingTest, ACallStandsBelowWhatCalledIt) {
  begin();
  for (int i = 0; i < 3; ++i) {
    const TestScope outer(7);
    const TestScope inner(8);
  }
  { const TestScope alone(8, kTraceException); }
  end();
  const auto paths = trace.by_path();
  ASSERT_EQ(paths.size(), 3u);
  EXPECT_EQ(paths.at("7").calls, 3u);
  EXPECT_EQ(paths.at("7/8").calls, 3u);
  EXPECT_EQ(paths.at("8").calls, 1u);
  EXPECT_EQ(paths.at("8").exceptions, 1u);
  EXPECT_EQ(paths.at("7/8").exceptions, 0u);
}

TEST_F(CallTracingTest, TimesOfCalleesAreNotTheirCallersOwn) {
  begin();
  {
    const TestScope outer(1);
    const TestScope inner(2);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  end();
  const auto paths = trace.by_path();
  const TestTimes outer = paths.at("1"), inner = paths.at("1/2");
  EXPECT_GE(inner.wall, 20'000'000u);
  EXPECT_GE(outer.wall, inner.wall);
  EXPECT_NEAR(static_cast<double>(outer.self), static_cast<double>(outer.wall - inner.wall), 2);
  EXPECT_EQ(inner.self, inner.wall);
  EXPECT_EQ(inner.least, inner.wall);
  EXPECT_EQ(inner.most, inner.wall);
  EXPECT_EQ(outer.cpu, 0u);  // it is not known
}

TEST_F(CallTracingTest, WhatIsNewIsSaidWhileCallsGoOn) {
  begin();
  const TestScope on(1);
  { const TestScope inner(2); }
  emit();
  EXPECT_EQ(trace.calls_of("1/2"), 1u);
  EXPECT_EQ(trace.calls_of("1"), 0u);
  { const TestScope inner(2); }
  { const TestScope inner(3); }
  emit();
  EXPECT_EQ(trace.calls_of("1/2"), 2u);
  EXPECT_EQ(trace.calls_of("1/3"), 1u);
  end();
}

TEST_F(CallTracingTest, ThreadsThatHaveEndedKeepWhatTheyCounted) {
  begin();
  for (int i = 0; i < 5; ++i) {
    std::thread([] {
      for (int call = 0; call < 100; ++call) const TestScope scope(4);
    }).join();
    if (i % 2 == 0) emit();
  }
  end();
  EXPECT_EQ(trace.calls_of("4"), 500u);
  uint64_t spread = 0;
  for (const auto& [bucket, calls] : trace.spread.at(1)) spread += calls;
  EXPECT_EQ(spread, 500u);
}

TEST_F(CallTracingTest, BetweenRecordingsCallsAreNotTraced) {
  EXPECT_EQ(walkabout_trace_enter(1), 0u);
  begin();
  const uint64_t left_on = walkabout_trace_enter(1);
  EXPECT_NE(left_on, 0u);
  end();
  EXPECT_EQ(walkabout_trace_enter(1), 0u);
  walkabout_trace_leave(left_on, kTraceReturned);
  trace = {};
  begin();
  walkabout_trace_leave(left_on, kTraceReturned);
  { const TestScope scope(2); }
  walkabout_trace_leave(left_on, kTraceReturned);
  end();
  EXPECT_EQ(trace.by_path().size(), 1u);
  EXPECT_EQ(trace.calls_of("2"), 1u);
  EXPECT_EQ(trace.unmatched(), 0u);
}

TEST_F(CallTracingTest, ACallWhoseEndIsNotSeenEndsWithTheOneBelowIt) {
  begin();
  {
    const TestScope outer(1);
    walkabout_trace_enter(2);
    walkabout_trace_enter(3);
  }
  { const TestScope after(4); }
  end();
  EXPECT_EQ(trace.unmatched(), 2u);
  EXPECT_EQ(trace.calls_of("1"), 1u);
  EXPECT_EQ(trace.calls_of("1/2"), 0u);
  EXPECT_EQ(trace.calls_of("4"), 1u);
}

}  // namespace
}  // namespace walkabout::agent::testing
