#include "cli/calls_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

profile::Calls some_calls() {
  profile::Calls calls;
  calls.session.command_line = "dotnet shop.dll";
  calls.session.runtime = ".NET 10.0.1";
  calls.duration_us = 2'000'000;
  calls.complete = calls.asked = true;
  calls.methods = {{"Cart.Add()", "Cart.Add", "shop.dll", 5000, ""},
                   {"Cart.Sum()", "Cart.Sum", "shop.dll", 20, ""},
                   {"Cart.Clear()", "Cart.Clear", "shop.dll", 0, "the body cannot be read"}};
  calls.patterns = {{0, "Cart.*", 3, ""}, {1, "Crat.*", 0, "Cart.Add, Cart.Sum"}};
  calls.state.chosen = 3;
  calls.state.looked = true;
  return calls;
}

TEST(CallsReport, HasCallsAndWhatIsNotCounted) {
  const std::string text = calls_text(some_calls(), 20, {});
  EXPECT_THAT(text, HasSubstr("5,020 calls of 3 methods in 2.00 s; without a count: 1\n"));
  EXPECT_THAT(text, HasSubstr("           5,000         2,500  Cart.Add()\n"));
  EXPECT_THAT(text, HasSubstr("1 method is not counted, the body cannot be read: Cart.Clear()."));
  EXPECT_THAT(text, HasSubstr("No method matches 'Crat.*'; names like it: Cart.Add, Cart.Sum.\n"));
  EXPECT_THAT(text, Not(HasSubstr("cut off")));
}

TEST(CallsReport, WhatIsBelowTheTopIsSummedUp) {
  EXPECT_THAT(calls_text(some_calls(), 1, {}), HasSubstr("              20                of 1 more method"));
}

TEST(CallsReport, WhatWasLeftOutIsSaid) {
  profile::Calls calls = some_calls();
  calls.complete = false;
  calls.state.too_many = 60'000;
  calls.state.unloadable = 2;
  const std::string text = calls_text(calls, 20, {});
  EXPECT_THAT(text, HasSubstr("60,000 methods that match"));
  EXPECT_THAT(text, HasSubstr("what can be unloaded, 2 times an assembly was loaded"));
  EXPECT_THAT(text, HasSubstr("cut off"));
}

TEST(CallsReport, OfAProcessCodeThatRunsSinceBeforeMayHaveUncountedCalls) {
  profile::Calls calls = some_calls();
  EXPECT_THAT(calls_text(calls, 20, {}), Not(HasSubstr("since before")));
  calls.session.attached = true;
  const std::string text = calls_text(calls, 20, {});
  EXPECT_THAT(text, HasSubstr("inlined into code that runs since before it counted"));
  EXPECT_THAT(text, Not(HasSubstr("runtime-async")));
  calls.state.runtime_async = true;
  EXPECT_THAT(calls_text(calls, 20, {}), HasSubstr("(runtime-async)"));
}

TEST(CallsReport, WhatWasNotLookedThroughMayMatchAllTheSame) {
  profile::Calls calls = some_calls();
  calls.state.looked = false;
  EXPECT_THAT(calls_text(calls, 20, {}), Not(HasSubstr("No method matches")));
  EXPECT_THAT(calls_text(calls, 20, {}),
              HasSubstr("It ended before all that was loaded was looked through."));
  EXPECT_EQ(calls_json(calls, 2)["looked"], false);
  calls.state.looked = true;
  calls.complete = false;
  EXPECT_EQ(without_methods(calls), "");
  calls.methods.push_back({"[method 7, not named]", "", "", 1, ""});
  EXPECT_THAT(calls_text(calls, 20, {}), HasSubstr("Methods without a name"));
}

TEST(CallsReport, ProgramsGetAllOfIt) {
  const Json json = calls_json(some_calls(), 2);
  EXPECT_EQ(json["calls"], 5020);
  EXPECT_EQ(json["methods"].size(), 2u);
  EXPECT_EQ(json["methods"][0]["match"], "Cart.Add");
  EXPECT_TRUE(json["methods"][0]["problem"].is_null());
  EXPECT_EQ(json["patterns"][1]["similar"], Json({"Cart.Add", "Cart.Sum"}));
}

}  // namespace
}  // namespace walkabout::cli
