// Whole names of functions over a fake CLR: instantiations, arrays, dynamic methods, and a CLR that refuses.
#include "clr/names/method_name.h"

#include <gtest/gtest.h>

#include "clr/abi/element_type.h"
#include "clr/names/fake_metadata.h"
#include "clr/names/method_record.h"
#include "clr/names/type_name.h"

namespace walkabout::clr {
namespace {

constexpr ModuleID kApp = 1;
constexpr ModuleID kCore = 2;
constexpr mdTypeDef kOuter = 0x02000001;
constexpr mdTypeDef kInner = 0x02000002;
constexpr mdTypeDef kInt = 0x02000001;
constexpr mdTypeDef kString = 0x02000002;
constexpr mdTypeDef kCanon = 0x02000003;
constexpr mdTypeDef kListDef = 0x02000004;
constexpr mdMethodDef kMap = 0x06000001;
enum Classes : ClassID {
  kIntId = 100,
  kStringId,
  kCanonId,
  kListOfInt,
  kInnerOfStringInt,
  kInnerOfCanon,
  kIntGrid
};

class MethodNamesTest : public ::testing::Test {
 protected:
  MethodNamesTest() {
    app_.types = {{kOuter, {u"Ns.Outer`1"}}, {kInner, {u"Inner`1", kOuter}}};
    app_.parameters = {{kOuter, {u"T"}}, {kInner, {u"T", u"U"}}, {kMap, {u"V"}}};
    // instance V Map<V>(T, U[], ref V)
    app_.methods = {{kMap,
                     {u"Map",
                      kInner,
                      {0x30, 1, 3, kElementMethodVar, 0, kElementVar, 0, kElementVector, kElementVar, 1,
                       kElementByRef, kElementMethodVar, 0}}}};
    core_.types = {{kInt, {u"System.Int32"}},
                   {kString, {u"System.String"}},
                   {kCanon, {u"System.__Canon"}},
                   {kListDef, {u"System.Collections.Generic.List`1"}}};
    clr_.modules = {{kApp, {u"/app/Demo.dll", &app_}}, {kCore, {u"/rt/System.Private.CoreLib.dll", &core_}}};
    clr_.classes = {{kIntId, {kCore, kInt}},
                    {kStringId, {kCore, kString}},
                    {kCanonId, {kCore, kCanon}},
                    {kListOfInt, {kCore, kListDef, {kIntId}}},
                    {kInnerOfStringInt, {kApp, kInner, {kStringId, kIntId}}},
                    {kInnerOfCanon, {kApp, kInner, {kCanonId, kCanonId}}},
                    {kIntGrid, {0, 0, {}, kElementI4, kIntId, 2}}};
  }
  MethodName name(FakeClr::Function function) {
    clr_.functions[7] = std::move(function);
    return MethodNames(&clr_).of(7);
  }

  FakeMetadata app_, core_;
  FakeClr clr_;
};

TEST_F(MethodNamesTest, ExactInstantiation) {
  const MethodName n = name({kInnerOfStringInt, kApp, kMap, {kListOfInt}});
  EXPECT_EQ(n.type, "Ns.Outer<string>+Inner<int>");
  EXPECT_EQ(n.method, "Map<System.Collections.Generic.List<int>>");
  EXPECT_EQ(n.parameters, "string, int[], ref System.Collections.Generic.List<int>");
  EXPECT_EQ(n.module, "Demo.dll");
  EXPECT_FALSE(n.dynamic);
}

TEST_F(MethodNamesTest, SharedCodeShowsCanon) {
  const MethodName n = name({kInnerOfCanon, kApp, kMap, {kCanonId}});
  EXPECT_EQ(n.type, "Ns.Outer<__Canon>+Inner<__Canon>");
  EXPECT_EQ(n.method, "Map<__Canon>");
}

TEST_F(MethodNamesTest, WithoutAClassTheParametersNamesStandIn) {
  const MethodName n = name({0, kApp, kMap, {}});
  EXPECT_EQ(n.type, "Ns.Outer<T>+Inner<U>");
  EXPECT_EQ(n.method, "Map<V>");
  EXPECT_EQ(n.parameters, "T, U[], ref V");
}

TEST_F(MethodNamesTest, TheTypeOfAMethodKeepsItsOwnName) {
  core_.methods[kMap] = {u"CompareTo", kInt, {0x20, 1, kElementI4, kElementI4}};
  const MethodName n = name({kIntId, kCore, kMap, {}});
  EXPECT_EQ(n.type, "System.Int32");
  EXPECT_EQ(n.parameters, "int");
}

TEST_F(MethodNamesTest, KnowsWhatOnlyLooksLikeAnAccessor) {
  core_.methods[kMap] = {u"get_Total", kInt, {0x20, 0, kElementI4}, mdSpecialName};
  EXPECT_FALSE(name({kIntId, kCore, kMap, {}}).plain_name);
  core_.methods[kMap] = {u"get_Total", kInt, {0x20, 0, kElementI4}, 0};
  EXPECT_TRUE(name({kIntId, kCore, kMap, {}}).plain_name);
  EXPECT_FALSE(name({kIntId, 99, kMap, {}}).plain_name) << "without metadata nobody knows";
}

TEST(MethodRecord, SaysWhatANameLeavesOpen) {
  constexpr auto kPlain = static_cast<uint32_t>(wire::MethodFlag::kPlainName);
  MethodName name;
  name.returns = "int";
  const auto record = [&name](const char* method, bool plain) {
    name.method = method;
    name.plain_name = plain;
    return method_record(base::MethodId(1), name);
  };
  EXPECT_EQ(record("get_Total", true).flags, kPlain);
  EXPECT_EQ(record("Ns.IOrder.op_Addition", true).flags, kPlain);
  EXPECT_EQ(record("get_Foo<Ns.Point>", true).flags, kPlain);
  EXPECT_EQ(record("Ns.IMap<A.B>.get_Foo", true).flags, kPlain);
  EXPECT_EQ(record("get_Total", false).flags, 0u);
  EXPECT_EQ(record("Run", true).flags, 0u);
  EXPECT_EQ(record("Run", true).returns, "");
  EXPECT_EQ(record("op_Implicit", false).returns, "int");
  EXPECT_EQ(record("Ns.IMoney.op_CheckedExplicit", false).returns, "int");
}

TEST_F(MethodNamesTest, Arrays) {
  MethodNames names(&clr_);
  EXPECT_EQ(names.class_name(kIntGrid), "int[,]");
  clr_.classes[200] = {0, 0, {}, kElementClass, kIntGrid, 1};
  EXPECT_EQ(names.class_name(200), "int[][,]");
  clr_.classes[201] = {0, 0, {}, kElementR8, 0, 1};
  EXPECT_EQ(names.class_name(201), "double[]");
  clr_.classes[202] = {0, 0, {}, kElementClass, 0, 1};
  EXPECT_EQ(names.class_name(202), "?[]");
}

TEST_F(MethodNamesTest, DynamicMethodsAndStubs) {
  FakeClr::Function f;
  f.dynamic = true;
  f.module = kApp;
  f.dynamic_name = u"MyDyn";
  f.dynamic_signature = {0x00, 2, kElementI4, kElementI4, kElementString};
  MethodName n = name(f);
  EXPECT_TRUE(n.dynamic);
  EXPECT_FALSE(n.il_stub);
  EXPECT_EQ(n.type, "");
  EXPECT_EQ(n.method, "MyDyn");
  EXPECT_EQ(n.parameters, "int, string");
  EXPECT_EQ(n.module, "Demo.dll");
  f.dynamic_name = u"IL_STUB_PInvoke";
  EXPECT_TRUE(name(f).il_stub);
  f.dynamic_name = u"";
  EXPECT_EQ(name(f).method, "?");
}

TEST_F(MethodNamesTest, ARefusingClrLeavesQuestionMarks) {
  NullICorProfilerInfo15 nothing;
  MethodNames names(&nothing);
  const MethodName n = names.of(1);
  EXPECT_EQ(n.type + n.method + n.parameters + n.module, "????");
  EXPECT_EQ(names.class_name(1), "?");
  EXPECT_EQ(names.class_name(0), "?");

  const MethodName no_metadata = name({kIntId, 99, kMap, {99}});
  EXPECT_EQ(no_metadata.type, "System.Int32");
  EXPECT_EQ(no_metadata.method, "?<?>");
  EXPECT_EQ(no_metadata.parameters, "?");
  EXPECT_EQ(no_metadata.module, "?");
}

TEST_F(MethodNamesTest, AClassOverItselfAndTooManyArgumentsEnd) {
  clr_.classes[300] = {kCore, kListDef, {300}};
  const std::string endless = MethodNames(&clr_).class_name(300);
  EXPECT_TRUE(endless.starts_with("System.Collections.Generic.List<System.Collections.Generic.List<"));
  EXPECT_LE(endless.size(), kLongestTypeName + 3);

  clr_.classes[301] = {kCore, kListDef, std::vector<ClassID>(5000, 301)};
  clr_.class_calls = 0;
  EXPECT_LE(MethodNames(&clr_).class_name(301).size(), kLongestTypeName + 3);
  EXPECT_LT(clr_.class_calls, 5000);
}

TEST_F(MethodNamesTest, RequestsOnce) {
  MethodNames names(&clr_);
  EXPECT_EQ(names.class_name(kListOfInt), "System.Collections.Generic.List<int>");
  const int calls = clr_.class_calls;
  EXPECT_EQ(names.class_name(kListOfInt), "System.Collections.Generic.List<int>");
  EXPECT_EQ(names.class_name(kIntId), "System.Int32");
  EXPECT_EQ(clr_.class_calls, calls);
  EXPECT_EQ(core_.references, 2u);
}

TEST_F(MethodNamesTest, OfAModuleThatIsNotLoadedNothingIsAsked) {
  bool loaded = false;
  MethodNames names(&clr_, [&loaded](ModuleID module) { return module != kApp || loaded; });
  clr_.functions[7] = {kInnerOfStringInt, kApp, kMap, {kListOfInt}};
  const MethodName name = names.of(7);
  EXPECT_EQ(name.module, "?");
  EXPECT_EQ(name.type.find("Inner"), std::string::npos) << name.type;
  EXPECT_EQ(name.method.find("Map"), std::string::npos) << name.method;
  loaded = true;
  names.forget();
  EXPECT_EQ(names.of(7).module, "Demo.dll");
}

}  // namespace
}  // namespace walkabout::clr
