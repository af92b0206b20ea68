#include "values/value_plan.h"

#include <gtest/gtest.h>

#include "clr/names/fake_metadata.h"

namespace walkabout::values {
namespace {

constexpr clr::mdTypeDef kType = 0x02000002, kSpan = 0x02000003;
constexpr clr::mdMethodDef kMethod = 0x06000001;
constexpr clr::mdParamDef kParameters = 0x08000000;

struct PlannedMetadata : clr::FakeMetadata {
  std::vector<std::u16string> names;
  uint32_t out_parameter = 0;  // its number

  clr::HRESULT GetParamForMethodIndex(clr::mdMethodDef, uint32_t number,
                                      clr::mdParamDef* parameter) override {
    *parameter = kParameters + number;
    return number <= names.size() ? clr::S_OK : clr::E_FAIL;
  }
  clr::HRESULT GetParamProps(clr::mdParamDef parameter, clr::mdMethodDef*, uint32_t*, clr::WCHAR* name,
                             uint32_t capacity, uint32_t* length, uint32_t* flags, uint32_t*,
                             clr::UVCP_CONSTANT*, uint32_t*) override {
    const uint32_t number = parameter - kParameters;
    clr::give_name(names[number - 1], name, capacity, length);
    *flags = number == out_parameter ? 2 : 0;
    return clr::S_OK;
  }
};

class ValuePlanTest : public ::testing::Test {
 protected:
  ValuePlan plan(std::vector<uint8_t> signature, std::vector<std::string> redacted = {}) {
    metadata.types[kType] = {u"App.Login"};
    metadata.types[kSpan] = {u"System.ReadOnlySpan`1"};
    metadata.methods[kMethod] = {u"Try", kType, std::move(signature), 0};
    clr::ComPtr<clr::IMetaDataImport2> import(&metadata);
    clr::ModuleNames module(import, "App.dll");
    return plan_values(metadata, module, kMethod, Redaction(std::move(redacted)));
  }
  static std::vector<Take> takes(const ValuePlan& plan) {
    std::vector<Take> all;
    for (const PlannedValue& one : plan.values) all.push_back(one.take);
    return all;
  }

  PlannedMetadata metadata;
};

TEST_F(ValuePlanTest, ThisParametersAndResultInTheirOrder) {
  metadata.names = {u"id", u"name"};
  const ValuePlan made = plan({0x20, 2, 0x0d, 0x08, 0x0e});  // double Try(int id, string name)
  ASSERT_EQ(made.values.size(), 4u);
  EXPECT_EQ(made.values[0].name, "this");
  EXPECT_EQ(made.values[1].name, "id");
  EXPECT_EQ(made.values[1].argument, 1);
  EXPECT_EQ(made.values[1].type, "int");
  EXPECT_EQ(made.values[2].name, "name");
  EXPECT_TRUE(made.values[3].is_result);
  EXPECT_EQ(takes(made), (std::vector{Take::kObject, Take::kBits, Take::kObject, Take::kReal}));
}

TEST_F(ValuePlanTest, ReferencesAreTakenWhereTheyLead) {
  metadata.names = {u"in", u"out"};
  metadata.out_parameter = 2;
  const ValuePlan made = plan({0x00, 2, 0x01, 0x10, 0x08, 0x10, 0x0e});  // void Try(ref int, out string)
  ASSERT_EQ(made.values.size(), 2u);
  EXPECT_TRUE(made.values[0].by_ref && !made.values[0].at_end);
  EXPECT_EQ(made.values[0].signature, std::vector<uint8_t>{0x08});
  EXPECT_TRUE(made.values[1].by_ref && made.values[1].at_end);
}

TEST_F(ValuePlanTest, SpansOfCharactersAreTexts) {
  const ValuePlan made = plan({0x00, 2, 0x01, 0x15, 0x11, 0x0c, 1, 0x03, 0x15, 0x11, 0x0c, 1, 0x08});
  EXPECT_EQ(takes(made), (std::vector{Take::kCharacters, Take::kValue}));
  EXPECT_EQ(made.values[0].name, "arg1") << "one without a name";
}

TEST_F(ValuePlanTest, WhatIsRedactedHasNoCode) {
  metadata.names = {u"user", u"passWord"};
  const std::vector<uint8_t> signature = {0x00, 2, 0x08, 0x0e, 0x0e};
  EXPECT_EQ(takes(plan(signature, {"*password"})), (std::vector{Take::kObject, Take::kHidden, Take::kBits}));
  EXPECT_EQ(takes(plan(signature, {"string"})), (std::vector{Take::kHidden, Take::kHidden, Take::kBits}));
  EXPECT_EQ(takes(plan(signature, {"App.Login.*"})),
            (std::vector{Take::kHidden, Take::kHidden, Take::kHidden}));
  EXPECT_TRUE(plan(signature, {"app.login.try"}).hides_all);
  EXPECT_FALSE(plan(signature, {"user"}).hides_all);
}

TEST_F(ValuePlanTest, LinesAreGlobs) {
  const Redaction two = Redaction::of_lines("a*\n\nB?");
  EXPECT_TRUE(two.hides("Abc") && two.hides("bx") && !two.hides("b") && !two.hides(""));
  EXPECT_FALSE(Redaction::of_lines("").hides("a"));
}

TEST_F(ValuePlanTest, WhatCannotBeReadHasNoPlan) {
  EXPECT_TRUE(plan({0x00, 9, 0x01}).values.empty());
  EXPECT_TRUE(plan({}).values.empty());
  EXPECT_EQ(takes(plan({0x00, 1, 0x01, 0x16})), std::vector{Take::kNothing}) << "a TypedReference";
}

}  // namespace
}  // namespace walkabout::values
