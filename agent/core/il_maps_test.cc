// What the CLR is asked for each method, and that its answers are what the stream says.
#include "agent/core/il_maps.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

using testing::FakeManagedCode;
using Map = std::vector<clr::COR_DEBUG_IL_TO_NATIVE_MAP>;

class MapClr : public clr::NullICorProfilerInfo15 {
 public:
  clr::HRESULT QueryInterface(const clr::GUID& riid, void** object) override {
    if (riid != clr::ICorProfilerInfo9::kIid) return NullICorProfilerInfo15::QueryInterface(riid, object);
    *object = static_cast<clr::ICorProfilerInfo9*>(this);
    AddRef();
    return clr::S_OK;
  }
  clr::HRESULT GetNativeCodeStartAddresses(clr::FunctionID function, clr::ReJITID, uint32_t capacity,
                                           uint32_t* count, uintptr_t* found) override {
    *count = static_cast<uint32_t>(starts[function].size());
    std::copy_n(starts[function].begin(), std::min<size_t>(capacity, *count), found);
    return clr::S_OK;
  }
  clr::HRESULT GetILToNativeMapping3(uintptr_t start, uint32_t capacity, uint32_t* count,
                                     clr::COR_DEBUG_IL_TO_NATIVE_MAP* map) override {
    asked.push_back(start);
    if (maps[start].empty()) return clr::E_FAIL;
    *count = static_cast<uint32_t>(maps[start].size());
    std::copy_n(maps[start].begin(), std::min<size_t>(capacity, *count), map);
    return clr::S_OK;
  }

  std::map<clr::FunctionID, std::vector<uintptr_t>> starts;
  std::map<uintptr_t, Map> maps;
  std::vector<uintptr_t> asked;
};

class IlMapsTest : public ::testing::Test {
 protected:
  CompiledMethod compiled(clr::FunctionID function) {
    registry_.jitted(code_.event(function));
    const unwind::ReaderGate::Reader inside(gate_);
    CompiledMethod method;
    registry_.compiled_method(base::CodeId(registry_.jitted().find(code_.start())->code.load()), &method);
    return method;
  }
  static std::string record(base::CodeId code, uint32_t begin, std::vector<uint64_t> il,
                            std::vector<uint64_t> native) {
    std::string out;
    wire::encode(wire::IlMap{code, begin, std::move(il), std::move(native)}, out);
    return out;
  }
  std::string emitted(size_t most = 100) {
    std::string out;
    maps_.emit(most, &out);
    return out;
  }

  MapClr clr_;
  unwind::ReaderGate gate_;
  CodeRegistry registry_{gate_};
  IlMaps maps_{registry_, &clr_};
  const FakeManagedCode code_;
};

// The CLR has them in the order of their IL.
TEST_F(IlMapsTest, ACompiledMethodsMapIsInTheOrderOfItsCode) {
  const CompiledMethod method = compiled(0x1230);
  clr_.maps[code_.start()] = {
      {0, 4, 10}, {7, 20, 25}, {12, 10, 20}, {0xfffffffe, 0, 4}, {0xfffffffd, 25, 30}};
  maps_.want(method);
  EXPECT_EQ(emitted(), record(method.code, 0,
                              {wire::kIlProlog, wire::kIlFirst, wire::kIlFirst + 12, wire::kIlFirst + 7,
                               wire::kIlEpilog, wire::kIlNone},
                              {0, 4, 10, 20, 25, 30}));
}

TEST_F(IlMapsTest, CodeBetweenTwoPartsIsOfNoIl) {
  const CompiledMethod method = compiled(0x1230);
  clr_.maps[code_.start()] = {{0, 0, 4}, {5, 4, 4}, {7, 8, 12}, {0xffffffff, 12, 14}};
  maps_.want(method);
  EXPECT_EQ(emitted(),
            record(method.code, 0,
                   {wire::kIlFirst, wire::kIlNone, wire::kIlFirst + 7, wire::kIlNone, wire::kIlNone},
                   {0, 4, 8, 12, 14}));
}

TEST_F(IlMapsTest, EachIsAskedForOnce) {
  const CompiledMethod method = compiled(0x1230);
  for (int i = 0; i < 3; ++i) {
    maps_.want(method);
    emitted();
  }
  EXPECT_EQ(clr_.asked.size(), 1u);
  EXPECT_EQ(maps_.refused(), 1u) << "what is refused is counted";
}

TEST_F(IlMapsTest, ALongMapIsReadWhole) {
  const CompiledMethod method = compiled(0x1230);
  Map& map = clr_.maps[code_.start()];
  std::vector<uint64_t> il, native;
  for (uint32_t i = 0; i < 3000; ++i) {
    map.push_back({i, i * 2, i * 2 + 2});
    il.push_back(wire::kIlFirst + i), native.push_back(i * 2);
  }
  il.push_back(wire::kIlNone), native.push_back(6000);
  maps_.want(method);
  EXPECT_EQ(emitted(), record(method.code, 0, il, native));
}

// The CLR must not be asked for code that may be gone.
TEST_F(IlMapsTest, WhatCouldGoAwayIsNotAskedFor) {
  CompiledMethod dynamic = compiled(0x1230);
  dynamic.name = std::make_shared<const clr::MethodName>();
  maps_.want(dynamic);
  EXPECT_EQ(maps_.pending(), 0u);
  const CompiledMethod unloaded = compiled(0x1230);
  maps_.want(unloaded);
  registry_.unloaded({0x1230, code_.start()});
  EXPECT_EQ(emitted(), "");
  EXPECT_TRUE(clr_.asked.empty());
}

TEST_F(IlMapsTest, APassHasItsBound) {
  maps_.want(compiled(0x1230));
  EXPECT_EQ(emitted(0), "");
  EXPECT_EQ(maps_.pending(), 1u);
}

// Its functions are ranges of their own, and the CLR has one map of them all.
TEST_F(IlMapsTest, AReadyToRunMethodIsAskedForByItsStart) {
  constexpr uint64_t kBase = 0x7000'0000;
  const std::array<unwind::RuntimeFunction, 2> functions = {{{0x1000, 0x1100, 0}, {0x1100, 0x1200, 0}}};
  wire::Module about;
  about.kind = wire::ModuleKind::kReadyToRun;
  about.start = kBase;
  unwind::Image* image = registry_.add_image(about, [&](unwind::Image& i) {
    i.managed = true;
    i.begin = kBase + 0x1000, i.end = kBase + 0x2000, i.base = kBase;
    i.functions = functions;
  });
  const base::CodeId code = image->code;
  clr_.starts[0x55] = {0x1000, kBase + 0x1000, 0x7fff'0000};
  clr_.maps[kBase + 0x1000] = {{3, 0, 0x200}};
  for (const uint32_t begin : {0x1100, 0x1000}) maps_.want(code, kBase, kBase + begin, 0x55);
  EXPECT_EQ(emitted(), record(code, 0x1000, {wire::kIlFirst + 3, wire::kIlNone}, {0, 0x200}));
  EXPECT_EQ(clr_.asked, std::vector<uintptr_t>{kBase + 0x1000});
  maps_.want(code, kBase, kBase + 0x1000, 0x66);
  EXPECT_EQ(emitted(), "");
  EXPECT_EQ(maps_.refused(), 1u) << "the CLR knows no start of it";
  registry_.remove_image(image);
  maps_.want(code, kBase, kBase + 0x1000, 0x55);
  EXPECT_EQ(emitted(), "");
  EXPECT_EQ(clr_.asked.size(), 1u) << "its image is gone";
}

TEST(IlMaps, AnOldRuntimeIsNotAsked) {
  clr::NullICorProfilerInfo15 old;
  unwind::ReaderGate gate;
  CodeRegistry registry(gate);
  IlMaps maps(registry, &old);
  CompiledMethod method;
  method.code = base::CodeId(1);
  method.start = 0x1000;
  maps.want(method);
  EXPECT_EQ(maps.pending(), 0u);
}

}  // namespace
}  // namespace walkabout::agent
