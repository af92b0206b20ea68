#include "launch/loading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace walkabout::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char kAgent[] = "/opt/w/lib.so";
constexpr char kOurs[] = "{8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B94}";
constexpr char kCodePort[] = "{8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B95}";
constexpr char kOurEntry[] = "/opt/w/lib.so={8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B94};";
constexpr char kApm[] = "{846F5F1C-F9AE-4B07-969E-05C26BC060D8}";
constexpr char kApmEntry[] = "/opt/apm/lib.so={846F5F1C-F9AE-4B07-969E-05C26BC060D8};";

using Set = std::map<std::string, std::string>;

base::Result<Environment> load(bool beside, const Set& set, const std::string& agent = kAgent) {
  return loading_environment(agent, beside, [&set](const char* name) {
    const auto it = set.find(name);
    return it != set.end() ? it->second : std::string();
  });
}

Environment loaded(bool beside, const Set& set) {
  const base::Result<Environment> all = load(beside, set);
  EXPECT_TRUE(all.ok()) << all.message();
  return all.ok() ? *all : Environment{};
}

auto main_slot() {
  return UnorderedElementsAre(Pair("CORECLR_ENABLE_PROFILING", "1"), Pair("CORECLR_PROFILER", kOurs),
                              Pair("CORECLR_PROFILER_PATH", kAgent), Pair("CORECLR_PROFILER_PATH_64", kAgent),
                              Pair("WALKABOUT_BESIDE", "0"));
}

// Nothing of the main slot's.
auto notified(const std::string& name, const std::string& list) {
  return UnorderedElementsAre(Pair("CORECLR_ENABLE_NOTIFICATION_PROFILERS", "1"), Pair(name, list),
                              Pair("WALKABOUT_BESIDE", "1"));
}

const Set kApmInSlot = {{"CORECLR_ENABLE_PROFILING", "1"}, {"CORECLR_PROFILER", kApm}};

TEST(Loading, TakesAFreeSlot) {
  EXPECT_THAT(loaded(false, {}), main_slot());
  // Another profiler that is not switched on.
  EXPECT_THAT(loaded(false, {{"CORECLR_PROFILER", kApm}}), main_slot());
  EXPECT_THAT(loaded(false, {{"CORECLR_PROFILER", kApm}, {"CORECLR_ENABLE_PROFILING", "0"}}), main_slot());
  EXPECT_THAT(loaded(false, {{"CORECLR_ENABLE_PROFILING", "1"}}), main_slot());
}

TEST(Loading, RefusesToPushAnotherProfilerOut) {
  const base::Result<Environment> refused = load(false, kApmInSlot);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.message(),
              AllOf(HasSubstr("CORECLR_PROFILER"), HasSubstr("--beside"), Not(HasSubstr("846F"))));
}

TEST(Loading, HooksOfEveryCallNeedTheSlot) {
  const auto hooked = [](const Set& set) {
    return hooking_environment(kAgent, [&set](const char* name) {
      const auto found = set.find(name);
      return found == set.end() ? std::string() : found->second;
    });
  };
  const base::Result<Environment> free = hooked({});
  ASSERT_TRUE(free.ok());
  EXPECT_THAT(*free, main_slot());
  const base::Result<Environment> refused = hooked(kApmInSlot);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.message(), AllOf(HasSubstr("CORECLR_PROFILER"), Not(HasSubstr("--beside"))));
}

TEST(Loading, BesideLeavesTheSlotAlone) {
  EXPECT_THAT(loaded(true, kApmInSlot), notified("CORECLR_NOTIFICATION_PROFILERS", kOurEntry));
  EXPECT_THAT(loaded(true, {}), notified("CORECLR_NOTIFICATION_PROFILERS", kOurEntry));
}

TEST(Loading, KeepsTheOthersThatAreNotified) {
  const std::string both = std::string(kApmEntry) + kOurEntry;
  Set set = {{"CORECLR_ENABLE_NOTIFICATION_PROFILERS", "1"}, {"CORECLR_NOTIFICATION_PROFILERS", kApmEntry}};
  EXPECT_THAT(loaded(true, set), notified("CORECLR_NOTIFICATION_PROFILERS", both));
  set["CORECLR_NOTIFICATION_PROFILERS"].pop_back();  // the last semicolon
  EXPECT_THAT(loaded(true, set), notified("CORECLR_NOTIFICATION_PROFILERS", both));
  EXPECT_THAT(loaded(false, set), main_slot());
  set["CORECLR_NOTIFICATION_PROFILERS_64"] = "/opt/b.so={0};";
  EXPECT_THAT(loaded(true, set),
              notified("CORECLR_NOTIFICATION_PROFILERS_64", std::string("/opt/b.so={0};") + kOurEntry));
}

TEST(Loading, DoesNotSwitchOnOthersThatAreOff) {
  Set set = {{"CORECLR_NOTIFICATION_PROFILERS", kApmEntry}};
  EXPECT_THAT(loaded(true, set), notified("CORECLR_NOTIFICATION_PROFILERS", kOurEntry));
  set["CORECLR_ENABLE_NOTIFICATION_PROFILERS"] = "0";
  EXPECT_THAT(loaded(true, set), notified("CORECLR_NOTIFICATION_PROFILERS", kOurEntry));
}

TEST(Loading, IsInAProcessOnceWhenOneRunStartsAnother) {
  const Set in_slot = {{"CORECLR_ENABLE_PROFILING", "1"},
                       {"CORECLR_PROFILER", "{8b2f5d0c-3e6a-4c1b-9d57-6a1f0e2c7b94}"}};
  EXPECT_THAT(loaded(false, in_slot), main_slot());
  EXPECT_THAT(loaded(true, in_slot), main_slot());
  Set set = {{"CORECLR_ENABLE_NOTIFICATION_PROFILERS", "1"},
             {"CORECLR_NOTIFICATION_PROFILERS", std::string(kOurEntry) + kApmEntry}};
  EXPECT_THAT(loaded(true, set),
              notified("CORECLR_NOTIFICATION_PROFILERS", std::string(kApmEntry) + kOurEntry));
  EXPECT_THAT(loaded(false, set), ::testing::Contains(Pair("CORECLR_NOTIFICATION_PROFILERS", kApmEntry)));
}

TEST(Loading, ReportsWhichPathsTheRuntimeCannotBeGiven) {
  EXPECT_TRUE(load(false, {}, "/opt/a;b/lib.so").ok());
  for (const char* path : {"/opt/a;b/lib.so", "/opt/a=b/lib.so"}) {
    const base::Result<Environment> refused = load(true, {}, path);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.message(), HasSubstr("';' or '='"));
  }
}

TEST(InliningEnvironment, IsTheUsersWhereHeHasSetIt) {
  const auto of = [](const Set& set) {
    return inlining_environment([&set](const char* name) {
      const auto it = set.find(name);
      return it != set.end() ? it->second : std::string();
    });
  };
  EXPECT_THAT(of({}), UnorderedElementsAre(Pair("DOTNET_RichDebugInfo", "1")));
  EXPECT_TRUE(of({{"DOTNET_RichDebugInfo", "0"}}).empty());
  EXPECT_TRUE(of({{"COMPlus_RichDebugInfo", "0"}}).empty());
}

TEST(Loading, CountingHasAProfilerInEachPlace) {
  const auto with = [](const Set& set) {
    return counting_environment(kAgent, [&set](const char* name) {
      const auto it = set.find(name);
      return it != set.end() ? it->second : std::string();
    });
  };
  const base::Result<Environment> all = with({});
  ASSERT_TRUE(all.ok()) << all.message();
  EXPECT_THAT(*all, UnorderedElementsAre(
                        Pair("CORECLR_ENABLE_PROFILING", "1"), Pair("CORECLR_PROFILER", kCodePort),
                        Pair("CORECLR_PROFILER_PATH", kAgent), Pair("CORECLR_PROFILER_PATH_64", kAgent),
                        Pair("CORECLR_ENABLE_NOTIFICATION_PROFILERS", "1"),
                        Pair("CORECLR_NOTIFICATION_PROFILERS", kOurEntry), Pair("WALKABOUT_BESIDE", "1")));
  EXPECT_THAT(with(kApmInSlot).message(), HasSubstr("CORECLR_PROFILER is set"));
  const Set nested = {{"CORECLR_ENABLE_PROFILING", "1"}, {"CORECLR_PROFILER", kCodePort}};
  EXPECT_TRUE(with(nested).ok());
  EXPECT_TRUE(load(false, nested).ok());
}

}  // namespace
}  // namespace walkabout::cli
