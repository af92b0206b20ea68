// What the JIT callbacks report, against a CLR of tables: whose code it is, and when it goes.
#include "agent/windows/session/jit_code.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "clr/names/fake_metadata.h"

namespace walkabout::agent {
namespace {

constexpr clr::ModuleID kCore = 1, kPlugin = 2;
constexpr clr::ClassID kInt = 11, kPluginStruct = 12, kPair = 13, kListOfPairs = 14;
constexpr uint32_t kSize = 64;

struct FakeJit : clr::FakeClr {
  std::map<clr::FunctionID, std::vector<uintptr_t>> code_starts;
  int sizes = 0;
  clr::HRESULT GetNativeCodeStartAddresses(clr::FunctionID function, clr::ReJITID, uint32_t capacity,
                                           uint32_t* count, uintptr_t* starts) override {
    *count = static_cast<uint32_t>(code_starts[function].size());
    std::copy_n(code_starts[function].begin(), std::min(*count, capacity), starts);
    return clr::S_OK;
  }
  clr::HRESULT GetCodeInfo4(uintptr_t start, uint32_t, uint32_t* count,
                            clr::COR_PRF_CODE_INFO* parts) override {
    ++sizes;
    *count = 1;
    parts[0].startAddress = start;
    parts[0].size = kSize;
    return clr::S_OK;
  }
};

struct JitCodeTest : ::testing::Test {
  JitCodeTest() {
    clr.classes[kInt] = {.module = kCore};
    clr.classes[kPluginStruct] = {.module = kPlugin};
    clr.classes[kPair] = {.module = kCore, .arguments = {kInt, kPluginStruct}};
    clr.classes[kListOfPairs] = {.module = kCore, .arguments = {kPair}};
    registry.collectible_module(kPlugin);
  }
  uint64_t place(int i) const { return reinterpret_cast<uint64_t>(heap.data()) + (i + 1) * kSize; }
  // Compiles it there.
  void compile(clr::FunctionID function, const clr::FakeClr::Function& about, int at) {
    clr.functions[function] = about;
    clr.code_starts[function].push_back(place(at));
    jit.compiled(function, about.dynamic);
  }
  bool knows(int at) const { return registry.knows_compiled_method(place(at)); }
  // Whether it must not be asked for later.
  bool named(int at) {
    uint32_t code = 0;
    {
      const unwind::ReaderGate::Reader inside(gate);
      const unwind::JitRegion* region = registry.jitted().find(place(at));
      code = region != nullptr ? region->code.load() : 0;
    }
    CompiledMethod method;
    return registry.compiled_method(base::CodeId(code), &method) && method.name != nullptr;
  }

  std::vector<uint8_t> heap = std::vector<uint8_t>(10 * kSize);
  FakeJit clr;
  unwind::ReaderGate gate;
  CodeRegistry registry{gate};
  JitCode jit{&clr, registry};
};

TEST_F(JitCodeTest, CodeOfACollectibleModuleGoesWithIt) {
  compile(100, {.module = kPlugin}, 0);
  compile(101, {.module = kCore}, 1);
  EXPECT_TRUE(named(0));
  EXPECT_FALSE(named(1)) << "the CLR is asked later";
  registry.module_unloaded(kPlugin);
  EXPECT_FALSE(knows(0));
  EXPECT_TRUE(knows(1));
}

TEST_F(JitCodeTest, AnInstantiationGoesWithTheTypesInIt) {
  compile(100, {.module = kCore, .arguments = {kPluginStruct}}, 0);
  compile(101, {.type = kListOfPairs, .module = kCore}, 1);
  compile(102, {.module = kCore, .arguments = {kInt}}, 2);
  EXPECT_TRUE(named(0));
  EXPECT_TRUE(named(1));
  EXPECT_TRUE(named(2)) << "as every instantiation";
  registry.module_unloaded(kPlugin);
  EXPECT_FALSE(knows(0));
  EXPECT_FALSE(knows(1));
  EXPECT_TRUE(knows(2));
}

TEST_F(JitCodeTest, ADynamicMethodGoesAlone) {
  compile(100, {.dynamic = true, .dynamic_name = u"Call"}, 0);
  compile(101, {.dynamic = true, .dynamic_name = u"Call"}, 1);
  EXPECT_TRUE(named(0));
  jit.unloaded(100);
  EXPECT_FALSE(knows(0));
  EXPECT_TRUE(knows(1));
  jit.unloaded(100);
  jit.unloaded(999);
}

// Its memory is another's by then.
TEST_F(JitCodeTest, WhatIsUnloadedLateLeavesTheNextAlone) {
  compile(100, {.dynamic = true, .dynamic_name = u"Call"}, 0);
  compile(101, {.dynamic = true, .dynamic_name = u"Next"}, 0);
  jit.unloaded(100);
  EXPECT_TRUE(knows(0));
}

TEST_F(JitCodeTest, ACodeVersionIsTakenOnceHoweverOftenItsMethodIsCompiled) {
  compile(100, {.module = kCore}, 0);
  compile(100, {.module = kCore}, 1);
  EXPECT_EQ(clr.sizes, 2);
  EXPECT_EQ(registry.compiled_methods(), 2u);
}

}  // namespace
}  // namespace walkabout::agent
