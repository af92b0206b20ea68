#include "agent/trace/async_call.h"

#include <thread>

#include "agent/trace/test_traces.h"

namespace walkabout::agent::testing {
namespace {

struct AsyncCallTest : TracingTest {
  void begin_slow(uint64_t latency_ns) {
    TraceOptions options;
    options.keeps_slow = true;
    options.latency_ns = latency_ns;
    begin(options);
  }
};

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// One part of it.
void go_on(uint64_t method, uint64_t from, uint64_t to, int ms = 0) {
  const uint64_t token = walkabout_trace_resume(method, from);
  if (ms != 0) sleep_ms(ms);
  walkabout_trace_pause(token, kTraceReturned, to);
}

TEST_F(AsyncCallTest, ACallThatGoesOnElsewhereIsOneCall) {
  begin();
  {
    const TestScope caller(1);
    go_on(2, 0, 77, 3);
  }
  sleep_ms(10);
  std::thread([] { go_on(2, 77, 77, 3); }).join();
  sleep_ms(10);
  std::thread([] {
    const TestScope other(9);
    const uint64_t token = walkabout_trace_resume(2, 77);
    { const TestScope callee(3); }
    walkabout_trace_pause(token, kTraceException, 0);
  }).join();
  end();
  const auto paths = trace.by_path();
  ASSERT_EQ(paths.size(), 4u);
  const TestTimes call = paths.at("1/2");
  EXPECT_EQ(call.calls, 1u);
  EXPECT_EQ(call.exceptions, 1u);
  EXPECT_GE(call.wall, 6'000'000u);
  EXPECT_GE(call.waiting, 20'000'000u);
  EXPECT_NEAR(static_cast<double>(call.most), static_cast<double>(call.wall + call.waiting), 3);
  EXPECT_EQ(call.least, call.most);
  EXPECT_EQ(paths.at("1/2/3").calls, 1u);
  EXPECT_EQ(paths.at("9").calls, 1u);
  EXPECT_LT(paths.at("9").self, paths.at("9").wall);
  EXPECT_EQ(trace.unmatched(), 0u);
}

TEST_F(AsyncCallTest, ManyAtOnceAreToldApart) {
  begin();
  constexpr uint64_t kCalls = 5000;
  for (uint64_t i = 1; i <= kCalls; ++i) go_on(1 + i % 3, 0, i * 977);
  for (uint64_t i = kCalls; i >= 1; --i) go_on(1 + i % 3, i * 977, i * 977);
  for (uint64_t i = 1; i <= kCalls; ++i) go_on(1 + i % 3, i * 977, 0);
  end();
  EXPECT_EQ(trace.calls_of("1") + trace.calls_of("2") + trace.calls_of("3"), kCalls);
  EXPECT_EQ(trace.unmatched(), 0u);
  EXPECT_EQ(trace.no_room(), 0u);
}

TEST_F(AsyncCallTest, TwoThatCannotBeToldApartAreLostAndSoCounted) {
  begin();
  go_on(1, 0, 5);
  go_on(1, 0, 5);
  go_on(2, 0, 5);  // another method
  go_on(1, 5, 5);
  go_on(1, 5, 0);
  go_on(1, 5, 0);
  go_on(2, 5, 0);
  end();
  EXPECT_EQ(trace.calls_of("1"), 0u);
  EXPECT_EQ(trace.calls_of("2"), 1u);
  EXPECT_EQ(trace.unmatched(), 3u);
}

TEST_F(AsyncCallTest, OneThatBeganUnseenIsNotCountedButWhatItCallsIs) {
  begin();
  const uint64_t token = walkabout_trace_resume(1, 123);
  { const TestScope callee(2); }
  walkabout_trace_pause(token, kTraceReturned, 123);
  go_on(1, 123, 0);
  end();
  EXPECT_EQ(trace.calls_of("1"), 0u);
  EXPECT_EQ(trace.calls_of("1/2"), 1u);
  EXPECT_EQ(trace.unmatched(), 2u);
}

TEST_F(AsyncCallTest, MoreThanThereIsRoomForAreCounted) {
  begin();
  constexpr uint32_t kTooMany = OpenCalls::kMost + 500;
  for (uint64_t i = 1; i <= kTooMany; ++i) go_on(1, 0, i * 31);
  for (uint64_t i = 1; i <= kTooMany; ++i) go_on(1, i * 31, 0);
  emit();
  for (uint64_t i = 1; i <= 100; ++i) go_on(2, 0, i);
  for (uint64_t i = 1; i <= 100; ++i) go_on(2, i, 0);
  end();
  EXPECT_GE(trace.no_room(), 500u);
  EXPECT_EQ(trace.calls_of("1") + trace.no_room(), kTooMany);
  EXPECT_EQ(trace.unmatched(), trace.no_room());
  EXPECT_EQ(trace.calls_of("2"), 100u);
}

TEST_F(AsyncCallTest, ASlowOneIsToldOfWhenItGoesOnAndKeptWhenItEnds) {
  begin_slow(10'000'000);
  const uint64_t token = walkabout_trace_resume(1, 0);
  uint8_t* room = walkabout_trace_values(token, 2);
  ASSERT_NE(room, nullptr);
  room[0] = 'h', room[1] = 'i';
  walkabout_trace_pause(token, kTraceReturned, 9);
  EXPECT_TRUE(reader.told.empty());
  sleep_ms(12);
  std::thread([] {
    const uint64_t resumed = walkabout_trace_resume(1, 9);
    uint8_t* result = walkabout_trace_values(resumed, 1);
    ASSERT_NE(result, nullptr);
    *result = '!';
    walkabout_trace_pause(resumed, kTraceReturned, 0);
  }).join();
  end();
  ASSERT_EQ(trace.calls.size(), 1u);
  const TestCall call = trace.calls[0];
  EXPECT_EQ(reader.told, std::vector<uint64_t>{call.call});
  EXPECT_EQ(call.values, "hi!");
  EXPECT_GE(call.waiting, 12'000'000u);
  EXPECT_GE(call.wall, call.waiting);
  EXPECT_NE(call.thread, call.ended_in);
  EXPECT_EQ(call.thread, this_trace_thread());
}

TEST_F(AsyncCallTest, OneWhoseMethodOnlyCountsMeanwhileIsCounted) {
  begin_slow(1000);
  go_on(1, 0, 5);
  only_count_method(1);
  go_on(1, 5, 5, 1);
  go_on(1, 5, 0);
  go_on(1, 0, 6);
  go_on(1, 6, 0);
  end();
  EXPECT_EQ(trace.calls_of("1"), 2u);
  EXPECT_TRUE(trace.calls.empty());
  EXPECT_EQ(trace.unmatched(), 0u);
}

TEST_F(AsyncCallTest, OneThatWaitsAtTheEndIsSaid) {
  begin_slow(5'000'000);
  go_on(1, 0, 40, 2);
  go_on(2, 0, 40);
  sleep_ms(10);
  go_on(3, 0, 40);  // not for long
  go_on(2, 40, 0);
  end();
  ASSERT_EQ(trace.calls.size(), 2u);
  const TestCall& waits = trace.calls.back();
  EXPECT_EQ(trace.path(waits.node), "1");
  EXPECT_EQ(waits.outcome, static_cast<uint64_t>(wire::CallOutcome::kNotEnded));
  EXPECT_GE(waits.waiting, 10'000'000u);
  EXPECT_GE(waits.wall, waits.waiting + 2'000'000);
}

}  // namespace
}  // namespace walkabout::agent::testing
