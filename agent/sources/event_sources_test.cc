// Each source of events is given those of the runtime, as payloads, and makes samples of them.
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "agent/sources/exceptions.h"
#include "agent/sources/gc.h"
#include "agent/sources/jit.h"
#include "agent/sources/loads.h"
#include "agent/sources/locks.h"
#include "agent/sources/test_source.h"
#include "agent/sources/threads.h"
#include "agent/sources/waits.h"
#include "clr/events/exception.h"
#include "clr/events/load_events.h"
#include "clr/events/threading.h"
#include "clr/events/waiting.h"
#include "clr/names/fake_metadata.h"

namespace walkabout::agent {
namespace {

using clr::testing::Payload;
using clr::testing::put;
using clr::testing::put_text;
using testing::event;
using testing::SourceWorld;

Payload thrown(uint16_t flags) {
  Payload payload;
  put_text(payload, u"System.FormatException");
  put_text(payload, u"no number");
  put<uint64_t>(payload, 0);
  put<uint32_t>(payload, 0);
  put<uint16_t>(payload, flags);
  put<uint16_t>(payload, 0);
  return payload;
}

TEST(ExceptionsSource, AThrowHasItsTypeKindAndMessage) {
  SourceWorld world;
  ExceptionsSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kExceptionThrown, thrown(0)));
    source.on_event(event(clr::kExceptionThrown, thrown(4)));
    source.on_event(event(clr::kExceptionThrown, {}));
    source.on_event(event(81, thrown(0)));
  });
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(world.text(taken[0].labels[0]), "System.FormatException");
  EXPECT_EQ(world.text(taken[0].labels[1]), "thrown");
  EXPECT_EQ(world.text(taken[0].labels[2]), "");
  EXPECT_EQ(world.text(taken[0].labels[3]), "no number");
  EXPECT_EQ(world.text(taken[1].labels[1]), "rethrown");
  EXPECT_EQ(taken[0].values[0], 1u);
}

Payload handled() {
  Payload payload;
  put<uint64_t>(payload, 0);
  put<uint64_t>(payload, 0);
  put_text(payload, u"void [app] Program::Parse(string)");
  put<uint16_t>(payload, 0);
  return payload;
}

// Where the frames of what is called from here are gone later.
__attribute__((noinline)) int deep_below(const std::function<void()>& call) {
  volatile char frames[128 << 10];
  frames[0] = 1;
  call();
  return frames[0];
}

TEST(ExceptionsSource, AHandlerHasItsMethodAndWhatWasThrownLast) {
  SourceWorld world;
  ExceptionsSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kExceptionThrown, thrown(0)));
    source.on_event(event(clr::kExceptionCatchStart, handled()));
    source.on_event(event(clr::kExceptionCatchStart, handled()));  // thrown again, unseen
    deep_below([&] { source.on_event(event(clr::kExceptionThrown, thrown(0))); });
    source.on_event(event(clr::kExceptionCatchStart, handled()));  // that throw's frames are gone
    source.on_event(event(clr::kExceptionThrown, thrown(0)));
    deep_below([&] { source.on_event(event(clr::kExceptionThrown, thrown(0))); });  // in a filter
    source.on_event(event(clr::kExceptionCatchStart, handled()));
    source.on_event(event(clr::kExceptionCatchStart, {}));
  });
  ASSERT_EQ(taken.size(), 8u);
  EXPECT_EQ(taken[1].values[0], 0u);
  EXPECT_EQ(taken[1].values[1], 1u);
  EXPECT_EQ(world.text(taken[1].labels[0]), "System.FormatException");
  EXPECT_EQ(world.text(taken[1].labels[1]), "thrown");
  EXPECT_EQ(world.text(taken[1].labels[2]), "Program.Parse");
  for (const size_t unknown : {2u, 4u, 7u}) {
    EXPECT_EQ(taken[unknown].labels[0], 0u);
    EXPECT_EQ(world.text(taken[unknown].labels[2]), "Program.Parse");
  }
}

Payload contention(uint64_t lock, uint64_t owner) {
  Payload payload;
  put<uint8_t>(payload, 0);
  put<uint16_t>(payload, 0);
  put<uint64_t>(payload, lock);
  put<uint64_t>(payload, 0);
  put<uint64_t>(payload, owner);
  return payload;
}

TEST(LocksSource, AWaitHasItsTimeLockAndOwner) {
  SourceWorld world;
  LocksSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kContentionStop, {}));  // began before the recording
    source.on_event(event(clr::kContentionStart, contention(0x7f00, 42), 2));
    testing::burn_ns(2'000'000);
    source.on_event(event(clr::kContentionStop, {}));
  });
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_GE(taken[0].values[0], 2'000'000u);
  EXPECT_EQ(taken[0].values[1], 1u);
  EXPECT_EQ(taken[0].labels, (std::vector<uint64_t>{0x7f00, 42}));
}

TEST(WaitsSource, AWaitHasItsTimeAndKind) {
  SourceWorld world;
  WaitsSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kWaitHandleWaitStart, {1}));
    testing::burn_ns(1'000'000);
    source.on_event(event(clr::kWaitHandleWaitStop, {}));
    source.on_event(event(clr::kWaitHandleWaitStart, {0}));
    source.on_event(event(clr::kWaitHandleWaitStop, {}));
  });
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_GE(taken[0].values[0], 1'000'000u);
  EXPECT_EQ(world.text(taken[0].labels[0]), "Monitor.Wait");
  EXPECT_EQ(world.text(taken[1].labels[0]), "handle, semaphore or task");
}

TEST(WaitsSource, ARuntimeWithoutTheEventsIsReported) {
  SourceWorld world(8);
  WaitsSource source;
  EXPECT_FALSE(source.start(world.context()).ok());
}

Payload gc_start(uint32_t generation, uint32_t reason, uint32_t type) {
  Payload payload;
  for (const uint32_t number : {1u, generation, reason, type}) put<uint32_t>(payload, number);
  return payload;
}
Payload reason(uint32_t why) {
  Payload payload;
  put<uint32_t>(payload, why);
  return payload;
}

// On the calling thread.
void pause(GcSource& source, uint32_t why, uint64_t suspending_ns, const Payload& collection = {}) {
  source.on_event(event(clr::kSuspendBegin, reason(why)));
  testing::burn_ns(suspending_ns);
  source.on_event(event(clr::kSuspendEnd, {}));
  if (!collection.empty()) source.on_event(event(clr::kGcStart, collection));
  testing::burn_ns(2'000'000);
  source.on_event(event(clr::kRestartBegin, {}));
  source.on_event(event(clr::kRestartEnd, {}));
}

TEST(GcSource, APauseHasItsTimesAndItsCollection) {
  SourceWorld world;
  GcSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kRestartEnd, {}));  // began before the recording
    pause(source, 1, 1'000'000, gc_start(2, 1, 0));
    pause(source, 1, 0, gc_start(2, 0, 1));
    pause(source, 6, 0);  // of that background collection
    source.on_event(event(clr::kGcEnd, gc_start(2, 0, 1)));
    pause(source, 6, 0);
    pause(source, 5, 0);
  });
  ASSERT_EQ(taken.size(), 5u);
  EXPECT_GE(taken[0].values[0], 3'000'000u);
  EXPECT_GE(taken[0].values[1], 1'000'000u);
  EXPECT_LT(taken[0].values[1], taken[0].values[0]);
  EXPECT_EQ(taken[0].values[2], 1u);
  EXPECT_EQ(world.text(taken[0].labels[0]), "generation 2");
  EXPECT_EQ(world.text(taken[0].labels[1]), "induced");
  EXPECT_EQ(world.text(taken[0].labels[2]), "blocking");
  EXPECT_EQ(world.text(taken[1].labels[2]), "background");
  EXPECT_EQ(taken[2].labels[0], 0u);
  EXPECT_EQ(world.text(taken[2].labels[2]), "background, later pause");
  EXPECT_EQ(taken[3].labels[2], 0u) << "nobody knows";
  EXPECT_EQ(world.text(taken[4].labels[1]), "debugger");
  EXPECT_EQ(world.text(taken[4].labels[2]), "no collection");
}

// Broken by one pause for all threads: the second one's begin would be the first one's.
TEST(GcSource, BehindACollectionTheHeapHasItsSizes) {
  SourceWorld world;
  GcSource source;
  Payload payload;
  for (const uint64_t size : {100, 1, 200, 1, 300, 1, 400, 1}) put<uint64_t>(payload, size);
  for (int i = 0; i < 2; ++i) put<uint64_t>(payload, 0);
  for (int i = 0; i < 3; ++i) put<uint32_t>(payload, 0);
  put<uint16_t>(payload, 0);
  const Payload early = payload;  // without the pinned objects' heap
  for (const uint64_t size : {50, 1}) put<uint64_t>(payload, size);
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kGcHeapStats, early));
    source.on_event(event(clr::kGcHeapStats, payload));
  });
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].values, (std::vector<uint64_t>{0, 0, 0, 0, 1050, 100, 200, 300, 400, 50}));
}

TEST(GcSource, WhoWantsToStopThreadsDuringAPauseWaitsForItsEnd) {
  SourceWorld world;
  GcSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kSuspendBegin, reason(1)));
    std::thread other([&] { source.on_event(event(clr::kSuspendBegin, reason(0))); });
    other.join();
    testing::burn_ns(3'000'000);
    source.on_event(event(clr::kSuspendEnd, {}));
    source.on_event(event(clr::kRestartBegin, {}));
    source.on_event(event(clr::kRestartEnd, {}));
  });
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_GE(taken[0].values[0], 3'000'000u);
  EXPECT_EQ(world.text(taken[0].labels[1]), "collection");
}

Payload jitting(uint64_t method) {
  Payload payload;
  put<uint64_t>(payload, method);
  put<uint64_t>(payload, 0);
  put<uint32_t>(payload, 0);
  put<uint32_t>(payload, 33);
  return payload;
}
Payload loaded(uint64_t method) {
  Payload payload;
  put<uint64_t>(payload, method);
  put<uint64_t>(payload, 0);
  put<uint64_t>(payload, 0x7f0000001000);
  put<uint32_t>(payload, 120);
  put<uint32_t>(payload, 0);
  put<uint32_t>(payload, 0x180);  // jitted, tier 0
  put_text(payload, u"Demo.Parser");
  put_text(payload, u"Parse");
  put_text(payload, u"void  ()");
  for (int i = 0; i < 20; ++i) put<uint8_t>(payload, 0);
  return payload;
}

TEST(JitSource, AMethodHasItsOwnTimeAndSizes) {
  SourceWorld world;
  JitSource source;
  uint64_t began_ns = 0, ended_ns = 0;
  const auto taken = world.taken(source, [&] {
    if (began_ns != 0) return;
    began_ns = base::monotonic_ns();
    source.on_event(event(clr::kMethodLoadVerbose, loaded(9), 2));  // precompiled
    source.on_event(event(clr::kMethodJittingStarted, jitting(1)));
    source.on_event(event(clr::kMethodJittingStarted, jitting(2)));
    testing::burn_ns(3'000'000);
    source.on_event(event(clr::kMethodLoadVerbose, loaded(2), 2));
    source.on_event(event(clr::kMethodLoadVerbose, loaded(1), 2));
    ended_ns = base::monotonic_ns();
  });
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_GE(taken[0].values[0], 3'000'000u);
  EXPECT_LE(taken[0].values[0] + taken[1].values[0], ended_ns - began_ns) << "each without the other";
  EXPECT_EQ(taken[0].values[2], 120u);
  EXPECT_EQ(taken[0].values[3], 33u);
  EXPECT_EQ(world.text(taken[0].labels[1]), "Demo.Parser.Parse");
}

// As on Windows.
TEST(JitSource, AMethodThatCallbacksTellOfHasItsOwnTimeSizesAndName) {
  SourceWorld world;
  clr::FakeMetadata app;
  app.types = {{0x02000001, {u"Demo.Parser"}}};
  app.methods = {{0x06000001, {u"Parse", 0x02000001, {}}}};
  clr::FakeClr clr;
  clr.modules = {{1, {u"/app/Demo.dll", &app}}};
  clr.functions = {{8, {0, 1, 0x06000001, {}}}, {16, {0, 0, 0, {}, true, u"IL_STUB_PInvoke"}}};
  world.info = &clr;
  JitSource source;
  const auto taken = world.taken(source, [&] {
    source.on_compile_end(8, 1);  // it began before the recording
    source.on_compile_begin(8, 33);
    source.on_compile_begin(16, 5);
    testing::burn_ns(3'000'000);
    source.on_compile_end(16, 60);
    source.on_compile_end(8, 120);
  });
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_GE(taken[0].values[0], 3'000'000u);
  EXPECT_EQ(world.text(taken[0].labels[0]), "unknown");
  EXPECT_EQ(world.text(taken[0].labels[1]), "IL_STUB_PInvoke");
  EXPECT_EQ(world.text(taken[1].labels[1]), "Demo.Parser.Parse");
  EXPECT_EQ(taken[1].values[2], 120u);
  EXPECT_EQ(taken[1].values[3], 33u);
}

TEST(LoadsSource, AssembliesModulesAndTypesHaveTheirNames) {
  Payload assembly;
  for (int i = 0; i < 28; ++i) put<uint8_t>(assembly, 0);
  put_text(assembly, u"demo, Version=1.0.0.0");
  Payload module;
  for (int i = 0; i < 24; ++i) put<uint8_t>(module, 0);
  put_text(module, u"/app/demo.dll");
  Payload type;
  put<uint32_t>(type, 5);
  for (int i = 0; i < 12; ++i) put<uint8_t>(type, 0);
  put_text(type, u"Demo.Parser");
  SourceWorld world;
  LoadsSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kAssemblyLoad, assembly));
    source.on_event(event(clr::kModuleLoad, module));
    source.on_event(event(clr::kTypeLoadStart, type));
    testing::burn_ns(1'000'000);
    source.on_event(event(clr::kTypeLoadStop, type));
    source.on_event(event(clr::kTypeLoadStop, {}));
  });
  ASSERT_EQ(taken.size(), 3u);
  const char* kinds[] = {"assembly", "module", "type"};
  const char* names[] = {"demo, Version=1.0.0.0", "demo.dll", "Demo.Parser"};
  for (size_t i = 0; i < taken.size(); ++i) {
    EXPECT_EQ(world.text(taken[i].labels[0]), kinds[i]);
    EXPECT_EQ(world.text(taken[i].labels[1]), names[i]);
  }
  EXPECT_GE(taken[2].values[1], 1'000'000u);
}

TEST(ThreadsSource, ThreadsAndWorkersComeAndGo) {
  Payload adjusted;
  put<double>(adjusted, 0);
  put<uint32_t>(adjusted, 12);
  put<uint32_t>(adjusted, 6);
  SourceWorld world;
  ThreadsSource source;
  const auto taken = world.taken(source, [&] {
    source.on_event(event(clr::kThreadCreated, {}));
    source.on_event(event(clr::kWorkersAdjusted, adjusted));
    source.on_thread_end();
    source.on_event(event(1, {}));
  });
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(world.text(taken[0].labels[0]), "thread begins");
  EXPECT_EQ(world.text(taken[1].labels[0]), "pool adjusted: starvation");
  EXPECT_EQ(taken[1].labels[1], 12u);
  EXPECT_EQ(world.text(taken[2].labels[0]), "thread ends");
}

}  // namespace
}  // namespace walkabout::agent
