#include "profile/build/runtime_labels.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace walkabout::profile {
namespace {

class RuntimeLabelsTest : public ::testing::Test {
 protected:
  RuntimeLabelsTest() {
    profile_.nodes = {{}};
    profile_.threads = {{"main", 1}, {".NET Tiered Com", 2}};
  }
  uint32_t node(uint32_t parent, const std::string& name, Kind kind, const std::string& module = "") {
    profile_.frames.push_back({name, name, module, kind, name[0] != '['});
    profile_.nodes.push_back({parent, static_cast<uint32_t>(profile_.frames.size() - 1)});
    return static_cast<uint32_t>(profile_.nodes.size() - 1);
  }
  void sample(uint32_t node, Activity activity, uint32_t thread = 0) {
    Sample sample{0, 1, thread, node};
    sample.activity = activity;
    profile_.samples.push_back(sample);
  }
  // Of each sample: its leaf.
  std::vector<std::string> leaves() {
    label_runtime(profile_);
    std::vector<std::string> names;
    for (const Sample& sample : profile_.samples)
      names.push_back(profile_.frames[profile_.nodes[sample.node].frame].name);
    for (uint32_t i = 1; i < profile_.nodes.size(); ++i) EXPECT_LT(profile_.nodes[i].parent, i);
    return names;
  }
  using Names = std::vector<std::string>;

  Profile profile_;
};

TEST_F(RuntimeLabelsTest, AnUnnamedLeafSaysWhatItWasDoing) {
  const uint32_t main = node(0, "Shop.Main()", Kind::kManaged);
  const uint32_t helper = node(main, "CORINFO_HELP_NEWARR_1_DIRECT", Kind::kRuntime, "libcoreclr.so");
  const uint32_t inside = node(helper, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so");
  const uint32_t jit = node(inside, "[libclrjit.so]", Kind::kRuntime, "libclrjit.so");
  const uint32_t call = node(main, "ThreadNative_Start", Kind::kRuntime, "libcoreclr.so");
  const uint32_t under_call = node(call, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so");
  const uint32_t unknown = node(main, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so");
  sample(inside, Activity::kRuntime);
  sample(inside, Activity::kGc);
  sample(jit, Activity::kJit);
  sample(inside, Activity::kJit);
  sample(under_call, Activity::kRuntime);
  sample(unknown, Activity::kRuntime);
  sample(helper, Activity::kRuntime);
  sample(inside, Activity::kGc);
  const size_t nodes = profile_.nodes.size();
  EXPECT_EQ(leaves(),
            (Names{"[libcoreclr.so] allocating", "[libcoreclr.so] collecting", "[libclrjit.so] compiling",
                   "[libcoreclr.so] JIT interface", "[libcoreclr.so] in ThreadNative_Start",
                   "[libcoreclr.so]", "CORINFO_HELP_NEWARR_1_DIRECT", "[libcoreclr.so] collecting"}));
  EXPECT_EQ(profile_.nodes.size(), nodes + 5) << "each once";
  EXPECT_EQ(profile_.nodes[profile_.samples[0].node].parent, helper);
}

TEST_F(RuntimeLabelsTest, ByTheFunctionThatAStubCalled) {
  const uint32_t main = node(0, "Shop.Main()", Kind::kManaged);
  for (const char* entry :
       {"ThePreStub", "DelayLoad_MethodCall", "DelayLoad_Helper_Obj", "ResolveWorkerAsmStub",
        "OnCallCountThresholdReachedStub", "GenericHandleWorker", "SfiInit"}) {
    const uint32_t stub = node(main, "[stub: method entry]", Kind::kStub);
    const uint32_t first = node(stub, entry, Kind::kRuntime, "libcoreclr.so");
    const uint32_t worker = node(first, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so");
    sample(node(worker, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so"), Activity::kRuntime);
  }
  EXPECT_EQ(leaves(),
            (Names{"[libcoreclr.so] preparing methods", "[libcoreclr.so] resolving a call",
                   "[libcoreclr.so] resolving types and members", "[libcoreclr.so] resolving interface calls",
                   "[libcoreclr.so] for tiered compilation", "[libcoreclr.so] looking up types and methods",
                   "[libcoreclr.so] in SfiInit"}));
}

TEST_F(RuntimeLabelsTest, WithoutAMethodTheThreadOrTheNearestNameSaysIt) {
  const uint32_t helper = node(0, "CORINFO_HELP_THROW", Kind::kRuntime, "libcoreclr.so");
  sample(node(helper, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so"), Activity::kRuntime);
  const uint32_t outer = node(0, "hostfxr_main", Kind::kRuntime, "libhostfxr.so");
  const uint32_t start = node(outer, "coreclr_initialize", Kind::kRuntime, "libcoreclr.so");
  sample(node(start, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so"), Activity::kRuntime);
  const uint32_t thread = node(0, "start_thread", Kind::kNative, "libc.so.6");
  const uint32_t unnamed = node(thread, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so");
  sample(unnamed, Activity::kRuntime);
  sample(unnamed, Activity::kRuntime, 1);
  sample(
      node(node(unnamed, "Shop.Main()", Kind::kManaged), "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so"),
      Activity::kRuntime, 1);
  EXPECT_EQ(leaves(), (Names{"[libcoreclr.so] throwing", "[libcoreclr.so] in coreclr_initialize",
                             "[libcoreclr.so]", "[libcoreclr.so] for tiered compilation", "[libcoreclr.so]"}))
      << "a method of the program may run on a thread that has such a name";
}

TEST_F(RuntimeLabelsTest, CollectionsSayTheirPhaseAndWhoStopsThreadsDoesNotCollect) {
  profile_.sources.resize(2);
  profile_.sources[0].clock = static_cast<uint32_t>(wire::Clock::kThreadCpu);
  profile_.sources[1].clock = static_cast<uint32_t>(wire::Clock::kEvent);
  const uint32_t main = node(0, "Shop.Main()", Kind::kManaged);
  const uint32_t collect = node(main, "CORINFO_HELP_NEWFAST", Kind::kRuntime, "libcoreclr.so");
  const uint32_t stop = node(collect, "ThreadSuspend::SuspendEE", Kind::kRuntime, "libcoreclr.so");
  const uint32_t mark = node(collect, "gc_heap::mark_phase", Kind::kRuntime, "libcoreclr.so");
  sample(node(mark, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so"), Activity::kGc);
  const uint32_t stopping = node(stop, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so");
  sample(stopping, Activity::kGc);
  sample(node(stop, "sched_yield", Kind::kNative, "libc.so.6"), Activity::kGc);
  sample(node(node(stop, "Shop.Main()", Kind::kManaged), "CORINFO_HELP_THROW", Kind::kRuntime),
         Activity::kGc);
  sample(stopping, Activity::kGc);
  profile_.samples.back().source = 1;
  EXPECT_EQ(leaves(), (Names{"[libcoreclr.so] marking", "[libcoreclr.so] suspending", "sched_yield",
                             "CORINFO_HELP_THROW", "[libcoreclr.so] collecting"}));
  std::vector<Activity> activities;
  for (const Sample& one : profile_.samples) activities.push_back(one.activity);
  EXPECT_EQ(activities, (std::vector<Activity>{Activity::kGc, Activity::kRuntime, Activity::kRuntime,
                                               Activity::kGc, Activity::kGc}));
}

TEST_F(RuntimeLabelsTest, NativeCodeThatHelpsTheRuntimeSaysIt) {
  const uint32_t main = node(0, "Shop.Main()", Kind::kManaged);
  const uint32_t helper = node(main, "CORINFO_HELP_THROW", Kind::kRuntime, "libcoreclr.so");
  sample(node(helper, "[libgcc_s.so.1]", Kind::kNative, "libgcc_s.so.1"), Activity::kNative);
  const uint32_t begin = node(main, "CORINFO_HELP_JIT_PINVOKE_BEGIN", Kind::kRuntime, "libcoreclr.so");
  sample(node(begin, "[libshop.so]", Kind::kNative, "libshop.so"), Activity::kNative);
  sample(node(main, "[libshop.so]", Kind::kNative, "libshop.so"), Activity::kNative);
  EXPECT_EQ(leaves(), (Names{"[libgcc_s.so.1] throwing", "[libshop.so]", "[libshop.so]"}));
}

TEST_F(RuntimeLabelsTest, WithoutNamesOfTheRuntimeNothingChanges) {
  const uint32_t main = node(0, "Shop.Main()", Kind::kManaged);
  sample(node(main, "[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so"), Activity::kGc);
  EXPECT_EQ(leaves(), Names{"[libcoreclr.so]"});
}

}  // namespace
}  // namespace walkabout::profile
