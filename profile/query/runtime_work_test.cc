#include "profile/query/runtime_work.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace walkabout::profile {
namespace {

class RuntimeWorkTest : public ::testing::Test {
 protected:
  RuntimeWorkTest() {
    profile_.nodes = {{}};
    profile_.threads = {{"worker", 1}};
    wire::Source cpu;
    cpu.id = wire::kCpuSource;
    cpu.values = {{"cpu time", "nanoseconds", wire::Adding::kSum}};
    profile_.sources = {cpu};
  }
  // Outermost frame first. "m:", "n:", "r:", "s:" before a name: managed, native, runtime, stub.
  void add(const std::vector<std::string>& stack, uint64_t ns, Activity activity = Activity::kRuntime) {
    uint32_t node = 0;
    for (const std::string& name : stack) {
      const Kind kind = name[0] == 'm'   ? Kind::kManaged
                        : name[0] == 'n' ? Kind::kNative
                        : name[0] == 'r' ? Kind::kRuntime
                                         : Kind::kStub;
      profile_.frames.push_back({name.substr(2), "", "", kind, name[2] != '['});
      profile_.nodes.push_back({node, static_cast<uint32_t>(profile_.frames.size() - 1)});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    Sample sample{profile_.samples.size(), ns, 0, node};
    sample.activity = activity;
    profile_.samples.push_back(sample);
  }
  std::vector<std::pair<std::string, uint64_t>> found() const {
    std::vector<std::pair<std::string, uint64_t>> all;
    for (const RuntimeWork& one : runtime_work(profile_, {0, 0}, activity_rows(profile_, {0, 0})))
      all.emplace_back(one.what, one.amount.weight);
    return all;
  }
  using Found = std::vector<std::pair<std::string, uint64_t>>;

  Profile profile_;
};

TEST_F(RuntimeWorkTest, TheFirstFunctionBelowTheLastMethodSaysIt) {
  add({"m:Shop.Main()", "r:CORINFO_HELP_COUNTPROFILE32"}, 10);
  add({"m:Shop.Main()", "m:Shop.Cast()", "r:CORINFO_HELP_NEWFAST", "r:[libcoreclr.so]", "n:memset"}, 40);
  add({"m:Shop.Main()", "s:[stub]", "r:CORINFO_HELP_CLASSPROFILE64", "r:[libcoreclr.so]"}, 5);
  add({"m:Shop.Main()", "r:GC._CollectionCount"}, 3);
  add({"m:Shop.Main()", "r:[libcoreclr.so]", "r:ThreadNative_YieldThread"}, 7);  // whoever comes in between
  add({"r:[libcoreclr.so]"}, 100);
  EXPECT_EQ(
      found(),
      (Found{{"allocating", 40}, {"PGO counting", 15}, {"calls of the runtime by name", 3}, {"other", 107}}));
}

TEST_F(RuntimeWorkTest, WhatIsAnActivityOfItsOwnIsNotInIt) {
  add({"m:Shop.Main()", "r:CORINFO_HELP_NEWFAST"}, 40, Activity::kGc);
  add({"m:Shop.Main()", "n:qsort"}, 40, Activity::kNative);
  EXPECT_EQ(found(), Found{});
}

TEST_F(RuntimeWorkTest, TheDispatchOfAnExceptionIsThrowing) {
  add({"m:Shop.Main()", "m:System.Runtime.EH.RhThrowEx(object, ExInfo&)", "r:[libcoreclr.so]"}, 9);
  EXPECT_EQ(found(), (Found{{"throwing", 9}}));
}

TEST_F(RuntimeWorkTest, WhatStubsCallAndStubsAreWorkToo) {
  add({"m:Shop.Main()", "s:[stub: method entry]", "r:ThePreStub", "r:PreStubWorker", "r:[libcoreclr.so]"},
      50);
  add({"m:Shop.Main()", "r:DelayLoad_MethodCall", "r:[libcoreclr.so]"}, 40);
  add({"m:Shop.Main()", "s:[stub: interface call]"}, 30);
  add({"m:Shop.Main()", "s:[stub: write barrier 0x7f0000001000]"}, 20);
  add({"m:Shop.Main()", "s:[stub]"}, 10);
  add({"s:[stub: virtual call]"}, 1);
  EXPECT_EQ(found(), (Found{{"preparing methods", 50},
                            {"resolving a call", 40},
                            {"calls through stubs", 30},
                            {"storing references", 20},
                            {"other", 11}}));
}

TEST_F(RuntimeWorkTest, TypeLoadingAndSuspendingSayItWhereverTheyAreCalledFrom) {
  const std::string load = "r:ClassLoader::LoadTypeHandleForTypeKey";
  add({"m:Shop.Main()", "r:ThePreStub", "r:[libcoreclr.so]", load, "r:[libcoreclr.so]"}, 50);
  add({"m:Shop.Main()", load + "(TypeKey*, TypeHandle, ClassLoadLevel, InstantiationContext const*)"}, 5);
  add({"m:Shop.Main()", load, "m:Shop.Resolve()", "r:CORINFO_HELP_NEWFAST"}, 30);
  add({"m:Shop.Main()", "r:CORINFO_HELP_NEWFAST", "r:ThreadSuspend::SuspendEE", "n:sched_yield"}, 20);
  add({"r:[libcoreclr.so]", "r:ThreadSuspend::RestartEE", "r:[libcoreclr.so]"}, 10);
  add({"r:[libcoreclr.so]", load, "r:ThreadSuspend::SuspendEE"}, 1);
  EXPECT_EQ(found(), (Found{{"type loading", 55}, {"allocating", 30}, {"suspending", 21}, {"resuming", 10}}));
}

TEST_F(RuntimeWorkTest, CollectionsByThePhaseThatIsNearest) {
  const std::string plan = "r:gc_heap::plan_phase";
  add({"m:Shop.Main()", "r:CORINFO_HELP_NEWFAST", "r:gc_heap::gc1", "r:gc_heap::mark_phase"}, 9,
      Activity::kGc);
  add({"r:gc_heap::gc1", plan, "r:[libcoreclr.so]", "n:memmove"}, 8, Activity::kGc);
  add({"r:WKS::gc_heap::gc1()", "r:WKS::gc_heap::plan_phase(int)",
       "r:WKS::gc_heap::relocate_phase(int, unsigned char*)"},
      7, Activity::kGc);
  add({"r:gc_heap::gc1", "r:[libcoreclr.so]"}, 6, Activity::kGc);
  add({"r:gc_heap::gc1", plan}, 100);
  Found phases;
  for (const RuntimeWork& one : collectors_work(profile_, {0, 0}, activity_rows(profile_, {0, 0})))
    phases.emplace_back(one.what, one.amount.weight);
  EXPECT_EQ(
      phases,
      (Found{{"marking", 9}, {"planning, compacting or sweeping", 8}, {"relocating", 7}, {"other", 6}}));
}

TEST_F(RuntimeWorkTest, WhereNothingIsKnownNothingIsSaid) {
  add({"m:Shop.Main()", "r:[libcoreclr.so]"}, 40);
  add({"m:Shop.Main()", "r:coreclr_execute_assembly"}, 1);
  EXPECT_EQ(found(), Found{});
}

TEST(RuntimeWorkOfTest, HelpersByName) {
  for (const auto& [name, what] : std::vector<std::pair<std::string, std::string>>{
           {"NEWARR_1_DIRECT", "allocating"},
           {"BOX_NULLABLE", "allocating"},
           {"UNBOX_NULLABLE", "casting"},
           {"ISINSTANCEOF_EXCEPTION", "casting"},
           {"JIT_PINVOKE_BEGIN", "calling native code"},
           {"INIT_PINVOKE_FRAME", "calling native code"},
           {"INITCLASS", "finding static fields"},
           {"GETSHARED_GCTHREADSTATIC_BASE", "finding static fields"},
           {"POLL_GC", "waiting for collections"},
           {"FAIL_FAST", "other"},
       })
    EXPECT_EQ(work_of("CORINFO_HELP_" + name), what) << name;
  EXPECT_EQ(work_of("memcpy"), "");
  EXPECT_EQ(work_of("RhpNewObject"), "allocating");
  EXPECT_EQ(work_of("ThePreStub2"), "");
}

}  // namespace
}  // namespace walkabout::profile
