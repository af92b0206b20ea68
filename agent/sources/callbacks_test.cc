// Callbacks as the runtime would raise them, over a fake one.
#include "agent/sources/callbacks.h"

#include <gtest/gtest.h>

#include "agent/sources/test_source.h"
#include "clr/names/fake_metadata.h"

namespace walkabout::agent {
namespace {

using clr::Callback;
using testing::SourceWorld;
using Taken = SourceWorld::Taken;

constexpr clr::ModuleID kApp = 8;
constexpr clr::ClassID kThing = 16;
constexpr clr::FunctionID kRun = 24, kMade = 32;
constexpr clr::HRESULT kDone = clr::S_OK;

uint32_t part(std::string_view name) {
  return wire::parse_events("callbacks=" + std::string(name))->front().parts;
}

class CallbacksSourceTest : public ::testing::Test {
 protected:
  CallbacksSourceTest() {
    app_.types = {{0x02000001, {u"Ns.Thing"}}};
    app_.methods = {{0x06000001, {u"Run", 0x02000001, {}}}};
    clr_.modules = {{kApp, {u"/app/Demo.dll", &app_, 40}}};
    clr_.assemblies = {{40, u"Demo"}};
    clr_.classes = {{kThing, {kApp, 0x02000001, {}}}};
    clr_.functions = {{kRun, {0, kApp, 0x06000001, {}}}, {kMade, {0, 0, 0, {}, true, u"made"}}};
  }
  // "Callback(object)" of each sample.
  std::vector<std::string> taken(std::string_view parts, const std::vector<clr::CallbackCall>& calls) {
    SourceWorld world;
    world.info = &clr_;
    source_.choose(part(parts));
    std::vector<std::string> texts;
    const auto all = world.taken(source_, [&] {
      for (const clr::CallbackCall& call : calls) source_.on_callback(call);
    });
    for (const Taken& one : all) {
      for (uint64_t i = 0; i < one.values[0]; ++i)
        texts.push_back(world.text(one.labels[0]) + "(" + world.text(one.labels[1]) + ")");
    }
    return texts;
  }
  using Texts = std::vector<std::string>;

  clr::FakeMetadata app_;
  clr::FakeClr clr_;
  CallbacksSource source_;
};

TEST_F(CallbacksSourceTest, EachHasItsNameAndThatOfWhatItIsAbout) {
  EXPECT_EQ(taken("objects", {{Callback::kObjectAllocated, {1, kThing}}}),
            Texts{"ObjectAllocated(Ns.Thing)"});
  EXPECT_EQ(taken("exceptions",
                  {{Callback::kExceptionThrown, {kThing}}, {Callback::kExceptionCatcherEnter, {kRun, 1}}}),
            (Texts{"ExceptionThrown(Ns.Thing)", "ExceptionCatcherEnter(Ns.Thing.Run)"}));
  EXPECT_EQ(taken("jit", {{Callback::kJITInlining, {1, kRun}}}), Texts{"JITInlining(Ns.Thing.Run)"});
  EXPECT_EQ(taken("rejit", {{Callback::kGetReJITParameters, {kApp, 0x06000001}}}),
            Texts{"GetReJITParameters(Ns.Thing.Run)"});
  EXPECT_EQ(taken("com", {{Callback::kCOMClassicVTableCreated, {kThing, 1, 2}}}),
            Texts{"COMClassicVTableCreated(Ns.Thing)"});
  EXPECT_EQ(taken("assemblies", {{Callback::kAssemblyLoadFinished, {40, kDone}}}),
            Texts{"AssemblyLoadFinished(Demo)"});
  EXPECT_EQ(taken("modules", {{Callback::kModuleLoadFinished, {kApp, kDone}}}),
            Texts{"ModuleLoadFinished(Demo.dll)"});
  const char16_t name[] = u"worker";
  EXPECT_EQ(taken("threads", {{Callback::kThreadNameChanged, {1, 6, clr::word(name)}}}),
            Texts{"ThreadNameChanged(worker)"});
  EXPECT_EQ(taken("suspension", {{Callback::kRuntimeSuspendStarted, {1}}}), Texts{"RuntimeSuspendStarted()"});
}

TEST_F(CallbacksSourceTest, WhatIsNotLoadedIsNotAskedFor) {
  const auto failed = static_cast<uintptr_t>(clr::E_FAIL);
  EXPECT_EQ(taken("classes", {{Callback::kClassLoadStarted, {kThing}},
                              {Callback::kClassLoadFinished, {kThing, failed}},
                              {Callback::kClassUnloadFinished, {kThing, kDone}}}),
            (Texts{"ClassLoadStarted()", "ClassLoadFinished()", "ClassUnloadFinished()"}));
  EXPECT_EQ(clr_.class_calls, 0);
}

TEST_F(CallbacksSourceTest, OnlyWhatWasAskedForIsTaken) {
  EXPECT_EQ(taken("threads", {{Callback::kObjectAllocated, {1, kThing}}, {Callback::kShutdown, {}}}),
            Texts{});
}

TEST_F(CallbacksSourceTest, NamesAreKeptUntilAModuleGoes) {
  const clr::CallbackCall allocated{Callback::kObjectAllocated, {1, kThing}};
  taken("objects", {allocated, allocated, allocated});
  EXPECT_EQ(clr_.class_calls, 1);
  taken("objects", {allocated, {Callback::kModuleUnloadFinished, {kApp, kDone}}, allocated});
  EXPECT_EQ(clr_.class_calls, 3);
  const clr::CallbackCall invoked{Callback::kManagedToUnmanagedTransition, {kRun}};
  taken("transitions", {invoked, invoked});
  EXPECT_EQ(clr_.function_calls, 1);
}

TEST_F(CallbacksSourceTest, AStormIsCountedExactly) {
  const std::vector<clr::CallbackCall> storm(100'000, {Callback::kObjectAllocated, {1, kThing}});
  EXPECT_EQ(taken("objects", storm), Texts(storm.size(), "ObjectAllocated(Ns.Thing)"));
}

TEST_F(CallbacksSourceTest, WhatTheRuntimeWouldRefuseIsNamed) {
  source_.choose(part("jit+objects+transitions+handles"));
  EXPECT_EQ(source_.refusal(false, false), "");
  EXPECT_EQ(source_.refusal(true, false),
            "callbacks=transitions+objects: the runtime allows that only to a profiler that started with the "
            "program");
  EXPECT_EQ(source_.refusal(false, true),
            "callbacks=handles: the runtime allows that only to a profiler that has no other one beside it");
#ifndef _WIN32
  source_.choose(part("gc+com"));
  EXPECT_EQ(source_.refusal(false, false), "callbacks=com: the runtime knows COM on Windows alone");
#endif
  source_.choose(wire::parse_events("callbacks")->front().parts);
  EXPECT_EQ(source_.refusal(true, true), "") << "what is usual goes everywhere";
}

}  // namespace
}  // namespace walkabout::agent
