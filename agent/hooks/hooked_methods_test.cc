#include "agent/hooks/hooked_methods.h"

#include <gtest/gtest.h>

#include <optional>

#include "clr/names/fake_metadata.h"

namespace walkabout::agent {
namespace {

constexpr clr::ModuleID kDemo = 1, kCoreLib = 2;
constexpr clr::FunctionID kSave = 101, kSaveOfInt = 102, kLoad = 103, kThrows = 104;

// Two modules: one of the program's, and the runtime's with its dispatcher of exceptions.
struct World {
  clr::FakeMetadata demo, core_lib;
  clr::FakeClr runtime;

  World() {
    demo.types[0x02000002] = {u"Shop.Orders"};
    demo.methods[0x06000001] = {u"Save", 0x02000002, {0, 0, 1}};
    demo.methods[0x06000002] = {u"Load", 0x02000002, {0, 0, 1}};
    core_lib.types[0x02000002] = {u"System.Runtime.EH"};
    core_lib.methods[0x06000001] = {u"RhThrowEx", 0x02000002, {0, 0, 1}};
    runtime.modules[kDemo] = {u"/app/Demo.dll", &demo};
    runtime.modules[kCoreLib] = {u"/shared/System.Private.CoreLib.dll", &core_lib};
    runtime.functions[kSave] = function(kDemo, 0x06000001);
    runtime.functions[kSaveOfInt] = function(kDemo, 0x06000001);  // another instantiation
    runtime.functions[kLoad] = function(kDemo, 0x06000002);
    runtime.functions[kThrows] = function(kCoreLib, 0x06000001);
  }

  static clr::FakeClr::Function function(clr::ModuleID module, clr::mdToken token) {
    clr::FakeClr::Function made;
    made.module = module;
    made.token = token;
    return made;
  }
};

std::vector<wire::MethodPattern> patterns_of(const char* lines) {
  const auto parsed = wire::parse_method_patterns(lines);
  EXPECT_TRUE(parsed.ok());
  return parsed.ok() ? *parsed : std::vector<wire::MethodPattern>();
}

TEST(HookedMethods, AMethodKeepsItsNumberInAllInstantiations) {
  World world;
  HookedMethods methods(&world.runtime, {});
  EXPECT_EQ(methods.map(kSave), 0u);
  EXPECT_EQ(methods.map(kLoad), 1u);
  EXPECT_EQ(methods.map(kSaveOfInt), 0u);
  EXPECT_EQ(methods.map(kSave), 0u) << "compiled again";
  EXPECT_EQ(methods.index_of(kSaveOfInt), 0u);
  EXPECT_EQ(methods.index_of(999), std::nullopt);
}

TEST(HookedMethods, TheDispatcherOfExceptionsIsNotHooked) {
  World world;
  HookedMethods methods(&world.runtime, {});
  EXPECT_EQ(methods.map(kThrows), std::nullopt);
  EXPECT_EQ(methods.index_of(kThrows), std::nullopt);
}

TEST(HookedMethods, PatternsChooseAndLeaveOut) {
  World world;
  HookedMethods methods(&world.runtime, patterns_of("Shop.*\n!*.Load\n"));
  EXPECT_EQ(methods.map(kSave), 0u);
  EXPECT_EQ(methods.map(kLoad), std::nullopt);
  EXPECT_EQ(methods.map(999), std::nullopt) << "the runtime does not know it";
}

TEST(HookedMethods, AModuleThatHasGoneMayComeAgainAsAnother) {
  World world;
  HookedMethods methods(&world.runtime, {});
  EXPECT_EQ(methods.map(kSave), 0u);
  methods.module_unloads(kDemo);
  EXPECT_EQ(methods.map(kSave), 1u);
  EXPECT_EQ(methods.index_of(kSave), 1u);
}

TEST(HookedMethods, EachIsDeclaredOnce) {
  World world;
  HookedMethods methods(&world.runtime, {});
  methods.map(kSave);
  std::string first, second;
  methods.emit(5, &first);
  methods.map(kSaveOfInt);
  methods.emit(6, &second);
  EXPECT_NE(first.find("Save"), std::string::npos);
  EXPECT_TRUE(second.empty());
}

}  // namespace
}  // namespace walkabout::agent
