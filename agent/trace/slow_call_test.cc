#include <cstring>
#include <thread>

#include "agent/trace/test_traces.h"

namespace walkabout::agent::testing {
namespace {

struct SlowCallTest : TracingTest {
  void begin_slow(uint64_t latency_ns) {
    TraceOptions options;
    options.keeps_slow = true;
    options.latency_ns = latency_ns;
    begin(options);
  }
  const TestCall* of(const std::string& path) const {
    for (const TestCall& call : trace.calls)
      if (trace.path(call.node) == path) return &call;
    return nullptr;
  }
};

void rest_a_while() { std::this_thread::sleep_for(std::chrono::milliseconds(12)); }

void keep_values(uint64_t token, const std::string& text) {
  uint8_t* room = walkabout_trace_values(token, text.size());
  ASSERT_NE(room, nullptr);
  std::memcpy(room, text.data(), text.size());
}

TEST_F(SlowCallTest, ASlowCallKnowsTheOneAroundItAndItsValues) {
  begin_slow(10'000'000);
  {
    const TestScope outer(1);
    keep_values(outer.token(), "outer");
    { const TestScope quick(2); }
    {
      const TestScope slow(3, kTraceException);
      keep_values(slow.token(), "in");
      rest_a_while();
      keep_values(slow.token(), "ner");
      { const TestScope quick(4); }
    }
    keep_values(outer.token(), "!");
  }
  end();
  ASSERT_EQ(trace.calls.size(), 2u);
  const TestCall inner = *of("1/3"), outer = *of("1");
  EXPECT_EQ(inner.caller, outer.call);
  EXPECT_EQ(outer.caller, 0u);
  EXPECT_EQ(inner.values, "inner");
  EXPECT_EQ(outer.values, "outer!");
  EXPECT_EQ(inner.outcome, static_cast<uint64_t>(wire::CallOutcome::kException));
  EXPECT_EQ(outer.outcome, static_cast<uint64_t>(wire::CallOutcome::kReturned));
  EXPECT_GE(inner.wall, 12'000'000u);
  EXPECT_GE(inner.begin, outer.begin);
  EXPECT_LE(inner.begin + inner.wall, outer.begin + outer.wall + 1000);
  EXPECT_EQ(reader.told, (std::vector<uint64_t>{inner.call, outer.call}));
  EXPECT_EQ(trace.stated(6), 2u);
}

TEST_F(SlowCallTest, WithoutALatencyAllAreKeptAsFarAsThereIsRoom) {
  begin_slow(0);
  constexpr uint64_t kCalls = 10'000;
  for (uint64_t i = 0; i < kCalls; ++i) const TestScope scope(1);
  emit();
  { const TestScope later(2); }
  end();
  EXPECT_EQ(trace.stated(6), trace.calls.size());
  EXPECT_EQ(trace.stated(6) + trace.stated(7), kCalls + 1);
  EXPECT_GT(trace.stated(7), 0u);
  EXPECT_NE(of("2"), nullptr);
  EXPECT_EQ(reader.told.size(), trace.calls.size());
}

TEST_F(SlowCallTest, RecordsWrapAroundTheRing) {
  begin_slow(0);
  for (int i = 0; i < 5000; ++i) {
    {
      const TestScope scope(1);
      keep_values(scope.token(), std::string(static_cast<size_t>(i % 300), static_cast<char>('a' + i % 26)));
    }
    if (i % 100 == 0) emit();
  }
  end();
  ASSERT_EQ(trace.calls.size(), 5000u);
  for (int i = 0; i < 5000; ++i)
    ASSERT_EQ(trace.calls[static_cast<size_t>(i)].values,
              std::string(static_cast<size_t>(i % 300), static_cast<char>('a' + i % 26)));
}

TEST_F(SlowCallTest, ValuesHaveTheirBounds) {
  begin_slow(0);
  {
    const TestScope scope(1);
    EXPECT_EQ(walkabout_trace_values(scope.token(), kMostValueBytes + 1), nullptr);
    EXPECT_NE(walkabout_trace_values(scope.token(), kMostValueBytes - 1), nullptr);
    EXPECT_EQ(walkabout_trace_values(scope.token(), 2), nullptr);
    EXPECT_NE(walkabout_trace_last_values(1), nullptr);
    const TestScope inner(2);
    EXPECT_EQ(walkabout_trace_values(scope.token(), 1), nullptr);  // it is not the last that began
  }
  EXPECT_EQ(walkabout_trace_last_values(1), nullptr);
  std::vector<uint64_t> tokens;
  uint32_t filled = 0;
  for (int i = 0; i < 200; ++i) {
    tokens.push_back(walkabout_trace_enter(3));
    filled += walkabout_trace_values(tokens.back(), kMostValueBytes) != nullptr ? 1 : 0;
  }
  EXPECT_EQ(filled, kMostThreadValueBytes / kMostValueBytes - 1);
  for (; !tokens.empty(); tokens.pop_back()) walkabout_trace_leave(tokens.back(), kTraceReturned);
  end();
}

TEST_F(SlowCallTest, WhatIsStillOnAtTheEndIsSaid) {
  begin_slow(5'000'000);
  const uint64_t on = walkabout_trace_enter(1);
  keep_values(on, "on");
  rest_a_while();
  {
    const TestScope inner(2);
    rest_a_while();
  }
  const uint64_t quick = walkabout_trace_enter(3);
  end();
  ASSERT_EQ(trace.calls.size(), 2u);
  EXPECT_EQ(of("1")->outcome, static_cast<uint64_t>(wire::CallOutcome::kNotEnded));
  EXPECT_EQ(of("1")->values, "on");
  EXPECT_EQ(of("1/2")->caller, of("1")->call);
  walkabout_trace_leave(quick, kTraceReturned);
  walkabout_trace_leave(on, kTraceReturned);
}

}  // namespace
}  // namespace walkabout::agent::testing
