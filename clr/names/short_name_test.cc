#include "clr/names/short_name.h"

#include <gtest/gtest.h>

#include "clr/abi/element_type.h"
#include "clr/names/fake_metadata.h"
#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {

constexpr ModuleID kShortApp = 1;
constexpr mdTypeDef kShortOuter = 0x02000001, kInner = 0x02000002, kInnermost = 0x02000003;
constexpr mdMethodDef kShortMap = 0x06000001;

class ShortNameTest : public testing::Test {
 protected:
  ShortNameTest() {
    app_.types = {{kShortOuter, {u"Ns.Outer`1"}},
                  {kInner, {u"Inner", kShortOuter}},
                  {kInnermost, {u"Innermost", kInner}}};
    app_.methods = {{kShortMap, {u"Map", kInner, {}}}};
    clr_.modules = {{kShortApp, {u"/app/Demo.dll", &app_}}};
    clr_.classes = {{8, {kShortApp, kShortOuter, {}}},
                    {16, {kShortApp, kInnermost, {}}},
                    {24, {0, 0, {}, 0, 16, 2}},
                    {32, {0, 0, {}, 0, 24, 1}},
                    {40, {0, 0, {}, kElementI4, 0, 1}}};
  }
  template <typename Call>
  std::string name(Call call) {
    ShortName name;
    call(name);
    return to_utf8(name.text());
  }
  std::string class_name(ClassID type) {
    return name([&](ShortName& n) { n.of_class(clr_, type); });
  }
  std::string function_name(FunctionID function, bool lasts) {
    return name([&](ShortName& n) { EXPECT_EQ(n.of_function(clr_, function), lasts); });
  }
  std::string module_name(ModuleID module) {
    return name([&](ShortName& n) { n.of_module(clr_, module); });
  }

  FakeMetadata app_;
  FakeClr clr_;
};

TEST_F(ShortNameTest, OfClasses) {
  EXPECT_EQ(class_name(8), "Ns.Outer`1");
  EXPECT_EQ(class_name(16), "Ns.Outer`1+Inner+Innermost");
  EXPECT_EQ(class_name(24), "Ns.Outer`1+Inner+Innermost[,]");
  EXPECT_EQ(class_name(32), "Ns.Outer`1+Inner+Innermost[][,]");
  EXPECT_EQ(class_name(40), "int[]");
  EXPECT_EQ(class_name(0), "");
  EXPECT_EQ(class_name(99), "") << "the runtime does not know it";
}

TEST_F(ShortNameTest, OfFunctions) {
  clr_.functions = {{8, {0, kShortApp, kShortMap, {}}}, {16, {0, 0, 0, {}, true, u"IL_STUB_PInvoke"}}};
  EXPECT_EQ(function_name(8, true), "Ns.Outer`1+Inner.Map");
  EXPECT_EQ(function_name(16, false), "IL_STUB_PInvoke");
  EXPECT_EQ(function_name(24, true), "");
  EXPECT_EQ(function_name(0, false), "");
}

TEST_F(ShortNameTest, OfModulesAndAssemblies) {
  clr_.assemblies = {{5, u"Demo"}};
  EXPECT_EQ(module_name(kShortApp), "Demo.dll");
  clr_.modules[2] = {u"", nullptr, 5};
  clr_.modules[3] = {u"/" + std::u16string(300, u'x') + u"/Demo.dll", nullptr, 5};
  EXPECT_EQ(module_name(2), "Demo") << "it has no file";
  EXPECT_EQ(module_name(3), "Demo") << "its path is too long";
  EXPECT_EQ(module_name(4), "");
  EXPECT_EQ(name([&](ShortName& n) { n.of_assembly(clr_, 5); }), "Demo");
  EXPECT_EQ(name([&](ShortName& n) { n.of_assembly(clr_, 0); }), "");
}

TEST_F(ShortNameTest, WhatIsTooLongIsCut) {
  app_.types[kShortOuter].name = std::u16string(200, u'o');
  app_.types[kInner].name = std::u16string(200, u'i');
  app_.methods[kShortMap].name = std::u16string(300, u'm');
  EXPECT_EQ(class_name(16).size(), ShortName::kLongest);
  clr_.functions = {{8, {0, kShortApp, kShortMap, {}}}};
  EXPECT_EQ(function_name(8, true).size(), ShortName::kLongest);
  app_.methods[kShortMap].name = u"Map";
  EXPECT_EQ(function_name(8, true).size(), ShortName::kLongest);
  EXPECT_TRUE(function_name(8, true).ends_with("iii.Map")) << "methods of one type differ";
}

}  // namespace
}  // namespace walkabout::clr
