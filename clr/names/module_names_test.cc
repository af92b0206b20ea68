// Names from metadata: nesting, limits, and metadata that is missing or goes round in circles.
#include "clr/names/module_names.h"

#include <gtest/gtest.h>

#include "clr/names/fake_metadata.h"
#include "clr/names/type_name.h"

namespace walkabout::clr {
namespace {

ModuleNames names_of(FakeMetadata& metadata) {
  return ModuleNames(ComPtr<IMetaDataImport2>(&metadata), "Demo.dll");
}

TEST(ModuleNames, NestedTypesNameTheirOuterOnes) {
  FakeMetadata metadata;
  metadata.types = {{0x02000001, {u"Ns.Outer`1"}},
                    {0x02000002, {u"Inner", 0x02000001}},
                    {0x02000003, {u"<M>d__1", 0x02000002}}};
  metadata.types[0x01000001] = {u"System.Collections.Generic.List`1", 0x23000001};
  metadata.types[0x01000002] = {u"Enumerator", 0x01000001};
  ModuleNames names = names_of(metadata);
  EXPECT_EQ(names.name_of(0x02000003), "Ns.Outer`1+Inner+<M>d__1");
  EXPECT_EQ(names.name_of(0x01000002), "System.Collections.Generic.List`1+Enumerator");
}

TEST(ModuleNames, RequestsOnceForEachType) {
  FakeMetadata metadata;
  metadata.types = {{0x02000001, {u"A"}}};
  ModuleNames names = names_of(metadata);
  EXPECT_EQ(names.name_of(0x02000001), "A");
  EXPECT_EQ(names.name_of(0x02000001), "A");
  EXPECT_EQ(metadata.calls, 1);
}

TEST(ModuleNames, WhatFailsIsAQuestionMark) {
  FakeMetadata metadata;
  ModuleNames names = names_of(metadata);
  EXPECT_EQ(names.name_of(0x02000001), "?");
  EXPECT_EQ(names.name_of(0x01000001), "?");
  EXPECT_EQ(names.name_of(0x1b000001), "?");
  EXPECT_EQ(names.method(0x06000001).name, "?");
  EXPECT_TRUE(names.method(0x06000001).signature.empty());
  ModuleNames without({}, "x.dll");
  EXPECT_EQ(without.name_of(0x02000001), "?");
  EXPECT_EQ(without.method(0x06000001).name, "?");
  EXPECT_TRUE(without.generic_parameters(0x02000001).empty());
}

TEST(ModuleNames, ATypeNestedInItselfEnds) {
  FakeMetadata metadata;
  metadata.types = {{0x02000001, {u"A", 0x02000002}}, {0x02000002, {u"B", 0x02000001}}};
  ModuleNames names = names_of(metadata);
  EXPECT_TRUE(names.name_of(0x02000001).starts_with("…+"));
}

TEST(ModuleNames, LongNamesAreCut) {
  FakeMetadata metadata;
  metadata.types = {{0x02000001, {std::u16string(5000, u'é')}}};
  metadata.methods = {{0x06000001, {std::u16string(5000, u'm'), 0x02000001, {}}}};
  ModuleNames names = names_of(metadata);
  EXPECT_LE(names.name_of(0x02000001).size(), kLongestTypeName + 3);
  EXPECT_EQ(names.method(0x06000001).name, std::string(1023, 'm'));
}

TEST(ModuleNames, GenericParametersInOrderAndTheirEnumerationIsClosed) {
  FakeMetadata metadata;
  metadata.parameters[0x02000001] = {u"TKey", u"TValue"};
  ModuleNames names = names_of(metadata);
  EXPECT_EQ(names.generic_parameters(0x02000001), (std::vector<std::string>{"TKey", "TValue"}));
  EXPECT_TRUE(names.generic_parameters(0x06000001).empty());
  EXPECT_EQ(metadata.open_enumerations, 0);
}

TEST(ModuleNames, FileNameOrScopeOfAModuleMadeAtRunTime) {
  FakeMetadata metadata;
  metadata.scope = u"DynMod";
  FakeClr clr;
  clr.modules = {{1, {u"/app/Demo.dll", &metadata}}, {2, {u"", &metadata}}, {3, {u"", nullptr}}};
  EXPECT_EQ(ModuleNames::of(clr, 1).file_name(), "Demo.dll");
  EXPECT_EQ(ModuleNames::of(clr, 2).file_name(), "DynMod");
  EXPECT_EQ(ModuleNames::of(clr, 3).file_name(), "?");
  EXPECT_EQ(ModuleNames::of(clr, 4).file_name(), "?");
  EXPECT_EQ(metadata.references, 1u);
}

}  // namespace
}  // namespace walkabout::clr
