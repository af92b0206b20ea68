#include "wire/windows_sources.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace walkabout::wire {
namespace {

bool has(const std::vector<SourceChoice>& events, std::string_view name) {
  return std::any_of(events.begin(), events.end(),
                     [&](const SourceChoice& one) { return name_of(one.id) == name; });
}

TEST(WindowsSources, OneThatIsMissingIsRefusedByNameWithTheCause) {
  for (const char* list : {"jit", "cpu,jit", "all,jit"}) {
    const auto events = parse_events_on_windows(list);
    ASSERT_FALSE(events.ok()) << list;
    EXPECT_NE(events.message().find("is not recorded on Windows: "), std::string::npos) << events.message();
  }
  EXPECT_NE(parse_events_on_windows("cpu,jit").message().find("jit is not"), std::string::npos);
}

TEST(WindowsSources, AllAndDefaultStandForWhatThereIs) {
  for (const char* list : {"all", "default"}) {
    const auto events = parse_events_on_windows(list);
    ASSERT_TRUE(events.ok()) << events.message();
    for (const char* name : {"cpu", "wall", "alloc", "exceptions", "gc"})
      EXPECT_TRUE(has(*events, name)) << name;
    EXPECT_FALSE(has(*events, "jit"));
  }
}

TEST(WindowsSources, WhatNobodyHasIsRefusedWithAListOfWhatThereIs) {
  const auto events = parse_events_on_windows("nothing");
  ASSERT_FALSE(events.ok());
  EXPECT_NE(events.message().find("no event is called 'nothing'"), std::string::npos) << events.message();
  EXPECT_NE(events.message().find("exceptions ("), std::string::npos) << events.message();
  EXPECT_EQ(events.message().find("jit (methods"), std::string::npos) << events.message();
}

TEST(WindowsSources, PartsAreAsOnLinux) {
  const auto here = parse_events_on_windows("callbacks=gc+threads"),
             there = parse_events("callbacks=gc+threads");
  ASSERT_TRUE(here.ok());
  EXPECT_EQ(*here, *there);
}

}  // namespace
}  // namespace walkabout::wire
