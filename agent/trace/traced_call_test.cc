#include "agent/trace/traced_call.h"

#include <cstring>
#include <thread>

#include "agent/trace/test_traces.h"
#include "agent/trace/trace_process.h"

namespace walkabout::agent::testing {
namespace {

using TracedCallTest = TracingTest;

// Of itself `depth` levels deep.
void recurse(uint64_t method, int depth) {
  const TestScope scope(method);
  if (depth > 1) recurse(method, depth - 1);
}

std::string path_of(uint64_t method, int depth) {
  std::string path = std::to_string(method);
  for (int i = 1; i < depth; ++i) path += "/" + std::to_string(method);
  return path;
}

TEST_F(TracedCallTest, EachLevelOfARecursionIsANodeUpToADepth) {
  begin();
  recurse(3, 5);
  const int deep = static_cast<int>(CallTree::kMostDepth) + 100;
  recurse(4, deep);
  recurse(4, deep);
  end();
  const auto paths = trace.by_path();
  for (int depth = 1; depth <= 5; ++depth) EXPECT_EQ(paths.at(path_of(3, depth)).calls, 1u);
  const int last = static_cast<int>(CallTree::kMostDepth);
  EXPECT_EQ(paths.at(path_of(4, last - 1)).calls, 2u);
  EXPECT_EQ(paths.at(path_of(4, last)).calls, 2u + 200u);  // those below it are in it
  EXPECT_LE(paths.at(path_of(4, last)).wall, paths.at(path_of(4, last - 1)).wall);
  EXPECT_EQ(trace.too_deep(), 0u);
}

TEST_F(TracedCallTest, DeeperThanAShadowStackIsCountedAndLeavesTheRestRight) {
  begin();
  std::vector<uint64_t> tokens;
  for (uint32_t i = 0; i < most_trace_frames() + 10; ++i) tokens.push_back(walkabout_trace_enter(1));
  EXPECT_EQ(tokens.back(), 0u);
  for (; !tokens.empty(); tokens.pop_back()) walkabout_trace_leave(tokens.back(), kTraceReturned);
  { const TestScope after(2); }
  end();
  uint64_t calls = 0;
  for (const auto& [path, times] : trace.by_path()) calls += times.calls;
  EXPECT_EQ(calls, most_trace_frames());  // the first frame is nobody's; and the one after
  EXPECT_EQ(trace.too_deep(), 11u);
  EXPECT_EQ(trace.calls_of("2"), 1u);
}

TEST_F(TracedCallTest, ByTheMethodWhatBeganLastEndsFirst) {
  begin();
  walkabout_trace_begin(1);
  walkabout_trace_begin(2);
  walkabout_trace_unwound(3);  // another's frame
  walkabout_trace_unwound(2);
  walkabout_trace_begin(4);
  walkabout_trace_end(4);
  walkabout_trace_begin(kMostTracedMethods + 5);  // is known, not traced
  walkabout_trace_begin(4);
  walkabout_trace_end(4);
  walkabout_trace_end(kMostTracedMethods + 5);
  walkabout_trace_end(1);
  walkabout_trace_end(9);  // began before
  end();
  const auto paths = trace.by_path();
  EXPECT_EQ(paths.at("1").calls, 1u);
  EXPECT_EQ(paths.at("1/2").exceptions, 1u);
  EXPECT_EQ(paths.at("1/4").calls, 2u);
  EXPECT_EQ(trace.unmatched(), 1u);
  EXPECT_EQ(trace.no_room(), 1u);
}

TEST_F(TracedCallTest, ByTheMethodWhatIsTooDeepIsMatchedAsWell) {
  begin();
  const uint32_t deep = most_trace_frames() + 20;
  for (uint32_t i = 0; i < deep; ++i) walkabout_trace_begin(1);
  for (uint32_t i = 0; i < deep; ++i) {
    if (i % 2 == 0) {
      walkabout_trace_end(1);
    } else {
      walkabout_trace_unwound(1);
    }
  }
  walkabout_trace_begin(2);
  walkabout_trace_end(2);
  end();
  EXPECT_EQ(trace.too_deep(), 21u);
  EXPECT_EQ(trace.unmatched(), 0u);
  EXPECT_EQ(trace.calls_of("2"), 1u);
}

TEST_F(TracedCallTest, AMethodAboveTheBudgetKeepsItsCountAndItsCallees) {
  TraceOptions options;
  options.budget = 1e-4;
  begin(options);
  const auto call_often = [] {
    const TestScope scope(1);
    for (int i = 0; i < 20'000; ++i) {
      const TestScope outer(2);
      const TestScope inner(3);
    }
  };
  emit();
  call_often();
  for (int i = 0; i < 6; ++i) emit();
  EXPECT_EQ(trace.state[11], (std::vector<uint64_t>{2, 1}));  // 2 and 3, of differences
  const TestTimes before = trace.by_path().at("1/2/3");
  const uint64_t own_before = trace.by_path().at("1").self;
  call_often();
  end();
  const auto paths = trace.by_path();
  EXPECT_EQ(paths.at("1/2").calls, 40'000u);
  EXPECT_EQ(paths.at("1/2/3").calls, 40'000u);
  EXPECT_EQ(paths.at("1/2/3").wall, before.wall);
  EXPECT_GT(paths.at("1").self, own_before);
}

TEST_F(TracedCallTest, AllocationsAreTheInnermostCalls) {
  begin();
  note_traced_allocation(5);
  {
    const TestScope outer(1);
    note_traced_allocation(100);
    const TestScope inner(2);
    note_traced_allocation(1000);
    note_traced_allocation(1000);
  }
  end();
  EXPECT_EQ(trace.by_path().at("1").allocated, 100u);
  EXPECT_EQ(trace.by_path().at("1/2").allocated, 2000u);
}

TEST_F(TracedCallTest, TheCostOfAProbeIsKnown) {
  begin();
  end();
  EXPECT_GT(trace.stated(3), 0u);
  EXPECT_GT(trace.stated(4), 0u);
  EXPECT_GT(trace.stated(5), 0u);
  EXPECT_LT(trace.stated(4), 1'000'000u);
}

}  // namespace
}  // namespace walkabout::agent::testing
