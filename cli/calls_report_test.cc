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

profile::Calls calls_by_caller() {
  profile::Calls calls = some_calls();
  calls.by_caller = true;
  calls.methods[0].callers = {{"Shop.Buy()", "shop.dll", profile::Kind::kManaged, 4000},
                              {"[stub]", "", profile::Kind::kStub, 900}};
  return calls;
}

TEST(CallsReport, CallersAreBelowTheirMethodAndAddUp) {
  profile::Calls calls = calls_by_caller();
  EXPECT_THAT(calls_text(calls, 20, {}), HasSubstr("         2,500  Cart.Add()\n"
                                                   "           4,000         80.0%    Shop.Buy()\n"
                                                   "             900         18.0%    [stub]\n"
                                                   "             100          2.0%    (not told)\n"
                                                   "              20            10  Cart.Sum()\n"
                                                   "              20        100.0%    (not told)\n"));
  calls.by_caller = false;
  EXPECT_THAT(calls_text(calls, 20, {}), Not(HasSubstr("not told")));
}

TEST(CallsReport, WhyCallersAreNotToldIsSaid) {
  profile::Calls calls = calls_by_caller();
  EXPECT_THAT(calls_text(calls, 20, {}), Not(HasSubstr("the caller")));
  calls.no_room = 70;
  calls.not_found = 1;
  const std::string text = calls_text(calls, 20, {});
  EXPECT_THAT(text, HasSubstr("Of 70 calls the caller is not told: they come from more places than are"));
  EXPECT_THAT(text, HasSubstr("Of 1 call the caller was not found.\n"));
}

TEST(CallsReport, OfManyCallersTheRestIsSummedUp) {
  profile::Calls calls = calls_by_caller();
  calls.methods[0].callers.assign(12, {"Shop.Buy()", "shop.dll", profile::Kind::kManaged, 100});
  EXPECT_THAT(calls_text(calls, 20, {}),
              HasSubstr("             200          4.0%    (of 2 more callers)\n"));
}

TEST(CallsReport, JsonHasTheCallersWhereTheyWereAskedFor) {
  const Json json = calls_json(calls_by_caller(), 20);
  const Json& method = json["methods"][0];
  EXPECT_EQ(method["callers"].size(), 2u);
  EXPECT_EQ(method["callers"][1],
            (Json{{"name", "[stub]"}, {"module", ""}, {"kind", "stub"}, {"calls", 900}}));
  EXPECT_EQ(method["not_told"], 100);
  EXPECT_FALSE(calls_json(some_calls(), 20)["methods"][0].contains("callers"));
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
