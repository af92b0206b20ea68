#include "agent/sources/event_sessions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"
#include "clr/events/eventpipe_method.h"
#include "clr/events/keywords.h"

namespace walkabout::agent {
namespace {

constexpr clr::EVENTPIPE_PROVIDER kRuntime = 11, kOther = 12, kPrivate = 13;
constexpr uint32_t kAnyEvent = 80;

struct FakeEventPipe : clr::NullICorProfilerInfo15 {
  std::vector<std::pair<uint64_t, uint32_t>> started;  // keywords, level
  std::vector<uint64_t> started_private;               // keywords of a second provider
  bool refuses_private = false;
  std::vector<clr::EVENTPIPE_SESSION> stopped;
  uint64_t refused = 0;  // keywords
  int names_asked = 0;
  clr::HRESULT not_overridden(const char*) override { return clr::E_FAIL; }
  clr::HRESULT EventPipeStartSession(uint32_t count, clr::COR_PRF_EVENTPIPE_PROVIDER_CONFIG* provider,
                                     clr::BOOL, clr::EVENTPIPE_SESSION* session) override {
    if ((provider->keywords & refused) != 0 || (count > 1 && refuses_private)) return clr::E_FAIL;
    if (count > 1) started_private.push_back(provider[1].keywords);
    started.emplace_back(provider->keywords, provider->loggingLevel);
    *session = started.size();
    return clr::S_OK;
  }
  clr::HRESULT EventPipeStopSession(clr::EVENTPIPE_SESSION session) override {
    stopped.push_back(session);
    return clr::S_OK;
  }
  clr::HRESULT EventPipeGetProviderInfo(clr::EVENTPIPE_PROVIDER provider, uint32_t, uint32_t*,
                                        clr::WCHAR* name) override {
    ++names_asked;
    const std::u16string text = provider == kRuntime   ? u"Microsoft-Windows-DotNETRuntime"
                                : provider == kPrivate ? u"Microsoft-Windows-DotNETRuntimePrivate"
                                                       : u"Another";
    *std::copy(text.begin(), text.end(), name) = 0;
    return clr::S_OK;
  }
};

TEST(EventSessions, ThereIsOneForEachLevelUntilTheyAreStopped) {
  FakeEventPipe pipe;
  EventSessions sessions;
  EXPECT_EQ(sessions.start(&pipe, {{clr::kInformational, 1}, {clr::kVerbose, 8}}), "");
  EXPECT_EQ(pipe.started,
            (std::vector<std::pair<uint64_t, uint32_t>>{{1, clr::kInformational}, {8, clr::kVerbose}}));
  sessions.stop();
  sessions.stop();
  EXPECT_EQ(pipe.stopped, (std::vector<clr::EVENTPIPE_SESSION>{1, 2})) << "each once";
}

// What is missing without the JIT's events is more than without others.
TEST(EventSessions, WhatTheRuntimeRefusesIsSaid) {
  FakeEventPipe pipe;
  pipe.refused = 1;
  EXPECT_NE(EventSessions().start(&pipe, {{clr::kInformational, 1}, {clr::kVerbose, 8}}).find("some of"),
            std::string::npos);
  EXPECT_EQ(pipe.started.size(), 1u) << "the others are had";
  pipe.refused = clr::kJitKeyword;
  EXPECT_NE(EventSessions().start(&pipe, {{clr::kVerbose, clr::kJitKeyword}}).find("JIT events"),
            std::string::npos);
}

TEST(EventSessions, TheRuntimesProviderIsKnownByItsNameAndThenByItself) {
  FakeEventPipe pipe;
  EventSessions sessions;
  EXPECT_FALSE(sessions.is_of_runtime(kRuntime, kAnyEvent)) << "there is no session";
  sessions.start(&pipe, {{clr::kInformational, 1}});
  EXPECT_FALSE(sessions.is_of_runtime(kOther, kAnyEvent));
  EXPECT_TRUE(sessions.is_of_runtime(kRuntime, kAnyEvent));
  const int asked = pipe.names_asked;
  EXPECT_TRUE(sessions.is_of_runtime(kRuntime, kAnyEvent));
  EXPECT_FALSE(sessions.is_of_runtime(kOther, clr::kMethodLoadVerbose)) << "one of that number is another's";
  EXPECT_EQ(pipe.names_asked, asked);
}

TEST(EventSessions, AnEventThatOnlyTheRuntimeHasNamesItsProvider) {
  EventSessions sessions;
  EXPECT_TRUE(sessions.is_of_runtime(kOther, clr::kMethodLoadVerbose));
  EXPECT_TRUE(sessions.is_of_runtime(kOther, kAnyEvent));
}

TEST(EventSessions, ThePrivateProviderGoesWithTheJitsEvents) {
  FakeEventPipe pipe;
  EventSessions sessions;
  EXPECT_EQ(sessions.start(&pipe, {{clr::kInformational, 1}, {clr::kVerbose, clr::kJitKeyword}}, 0x40000),
            "");
  EXPECT_EQ(pipe.started.size(), 2u);
  EXPECT_EQ(pipe.started_private, std::vector<uint64_t>{0x40000});
  EXPECT_TRUE(sessions.is_private(kPrivate));
  EXPECT_FALSE(sessions.is_private(kRuntime));
  EXPECT_TRUE(sessions.is_private(kPrivate));
  EXPECT_FALSE(sessions.is_of_runtime(kPrivate, kAnyEvent));
}

TEST(EventSessions, WithoutThePrivateProviderTheOthersAreHad) {
  FakeEventPipe pipe;
  pipe.refuses_private = true;
  EXPECT_EQ(EventSessions().start(&pipe, {{clr::kVerbose, clr::kJitKeyword}}, 0x40000), "");
  EXPECT_EQ(pipe.started.size(), 1u);
}

}  // namespace
}  // namespace walkabout::agent
