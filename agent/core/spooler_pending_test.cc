#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "agent/core/fake_heap_runtime.h"
#include "agent/core/pending_snapshots.h"
#include "agent/core/test_spooler.h"
#include "base/clock.h"
#include "wire/sources.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kHourNs = 3'600'000'000'000;

struct SpoolerPending : testing::SpoolerTest {
  base::CodeId method(const char* type) {
    clr::MethodName name;
    name.type = type;
    name.method = "MoveNext";
    name.module = "App.dll";
    return world.registry.async_method(name);
  }
  std::string spooled(const std::string& path) {
    wire::Source source;
    source.id = wire::source_id("async");
    source.name = "async";
    source.values = {{"waiting", "nanoseconds", wire::Adding::kSum},
                     {"operations", "count", wire::Adding::kSum}};
    source.labels = {{"seen since", 0}};
    source.period = kHourNs;
    Spooler::Options options;
    options.sources = {source};
    wire::Session session;
    session.attached = true;
    session.monotonic_start_ns = base::monotonic_ns() + kHourNs;  // so all times are the begin
    PendingSnapshots snapshots({&info, learner, collections, false, 1'000'000'000, true});
    StreamOut out(world.host);
    EXPECT_TRUE(out.create(path).ok());
    Spooler spooler({.registry = world.registry,
                     .threads = world.threads,
                     .out = out,
                     .info = &info,
                     .async = &learner,
                     .pending = &snapshots},
                    session, options);
    EXPECT_TRUE(spooler.start(1).ok());
    spooler.stop(10'000, 0);
    EXPECT_TRUE(info.handles.empty()) << "they are given back";
    return testing::taken_from(path);
  }

  testing::FakeHeapRuntime info{true};
  AsyncLearner learner{world.registry, &info};
  CollectionState collections;
};

TEST_F(SpoolerPending, SnapshotIsSamplesOfStacks) {
  learner.knowledge().types.add(testing::kFakeBox, testing::fake_box_type(method("App.C+<Run>d__1")));
  testing::FakeHeapRuntime::Object& outer = info.box(4);
  for (int i = 0; i < 3; ++i) info.box(0).next = reinterpret_cast<uint64_t>(&outer);
  info.box(1);
  const std::string stream = spooled("spooler_pending_test.stream");
  EXPECT_EQ(info.walks, 1);
  EXPECT_NE(stream.find("<Run>d__1"), std::string::npos);
  EXPECT_NE(stream.find("(async operations)"), std::string::npos);
  wire::Samples expected;
  expected.thread = base::ThreadId(1);
  expected.time_us = {0, 0};
  expected.values = {3 * kHourNs, kHourNs, 3, 1};
  expected.stack = {base::StackId(2), base::StackId(3)};
  expected.source = wire::source_id("async");
  expected.labels = {1, 1};  // since this one
  expected.origin = wire::SampleOrigin::kTally;
  EXPECT_NE(stream.find(testing::encoded(expected)), std::string::npos);
}

}  // namespace
}  // namespace walkabout::agent
