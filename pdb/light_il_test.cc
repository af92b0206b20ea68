#include "pdb/light_il.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::pdb {
namespace {

using Data = std::vector<uint8_t>;

bool light(precompiled::Bytes il) { return weight_of(il) == Weight::kLight; }
bool step(precompiled::Bytes il) { return weight_of(il) == Weight::kStep; }

TEST(LightIl, JumpsAndConstantsAreLight) {
  EXPECT_TRUE(light(Data{0x2b, 0x10})) << "br.s";
  EXPECT_TRUE(light(Data{0x38, 0x10, 0, 0, 0})) << "br";
  EXPECT_TRUE(light(Data{0x00}));
  EXPECT_TRUE(light(Data{0x16, 0x0b})) << "ldc.i4.0; stloc.1";
  EXPECT_TRUE(light(Data{0x23, 0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0x0e, 4, 1})) << "ldc.r8; stloc";
}

TEST(LightIl, WhatMayCostSomethingIsNot) {
  EXPECT_FALSE(light(Data{0x28, 1, 0, 0, 6})) << "call";
  EXPECT_FALSE(light(Data{0x06, 0x17, 0x58, 0x0a})) << "ldloc.0; ldc.i4.1; add; stloc.0";
  EXPECT_FALSE(light(Data{0x16, 0x80, 1, 0, 0, 4})) << "ldc.i4.0; stsfld";
  EXPECT_FALSE(light(Data{0x38, 0x10})) << "cut off";
  EXPECT_FALSE(light(Data{0xfe})) << "cut off";
  EXPECT_FALSE(light({}));
}

TEST(LightIl, AProtectedBlocksEndIsLight) {
  EXPECT_TRUE(light(Data{0xde, 0x10})) << "leave.s";
  EXPECT_TRUE(light(Data{0xdd, 0x10, 0, 0, 0})) << "leave";
  EXPECT_TRUE(light(Data{0xdc})) << "endfinally";
  EXPECT_FALSE(step(Data{0x06, 0x0b, 0xde, 0x10})) << "ldloc.0; stloc.1; leave.s, which may call a finally";
}

TEST(LightIl, Steps) {
  EXPECT_TRUE(step(Data{0x06, 0x17, 0x58, 0x0a})) << "ldloc.0; ldc.i4.1; add; stloc.0";
  EXPECT_TRUE(step(Data{0x0e, 4, 0x1f, 50, 0x59, 0x10, 4})) << "ldarg.s; ldc.i4.s; sub; starg.s";
  EXPECT_TRUE(step(Data{0xfe, 0x0c, 4, 1, 0x07, 0x5a, 0x67, 0xd1, 0x0a}))
      << "ldloc; ldloc.1; mul; conv.i1; conv.u2; stloc.0";
  EXPECT_TRUE(step(Data{0x06, 0x2d, 0x10})) << "ldloc.0; brtrue.s";
  EXPECT_TRUE(step(Data{0x06, 0x0b})) << "ldloc.0; stloc.1";
  EXPECT_FALSE(step(Data{0x06, 0x07, 0x58, 0x08, 0x58, 0x09, 0x58, 0x06, 0x58, 0x06, 0x58, 0x0a}))
      << "five additions";
  EXPECT_FALSE(step(Data{0x06, 0x17, 0x5b, 0x0a})) << "it divides";
  EXPECT_FALSE(step(Data{0x06, 0x07, 0x90, 0x0a})) << "it reads memory: ldelem.i1";
  EXPECT_FALSE(step(Data{0x12, 0, 0x0a})) << "ldloca.s: a variable in memory";
  EXPECT_FALSE(step(Data{0x06, 0x17, 0x58, 0x0a, 0x2a})) << "ret";
}

// ldloc.0; brtrue.s to A; ldloc.1; call; br.s to B; A: ldloc.2; B: stloc.0
TEST(LightIl, AStatementThatBranchesWithinItselfIsSplit) {
  const Data ternary = {0x06, 0x2d, 0x08, 0x07, 0x28, 1, 0, 0, 6, 0x2b, 0x01, 0x08, 0x0a};
  EXPECT_EQ(weight_of(ternary), Weight::kSplit);
  EXPECT_EQ(weight_of(Data{0x06, 0x2d, 0x10, 0x28, 1, 0, 0, 6}), Weight::kAny) << "it branches away";
  EXPECT_TRUE(step(Data{0x06, 0x2d, 0x03, 0x07, 0x2b, 0x01, 0x08, 0x0a})) << "cheap whatever it does";
}

TEST(LightIl, StatementsThatBeginOnTheStack) {
  const Data call_and_store = {0x28, 1, 0, 0, 6, 0x0b}, store = {0x06, 0x0b};
  EXPECT_TRUE(begins_on_stack(Data{0x06, 0x07, 0x99}, call_and_store)) << "ldloc.0; ldloc.1; ldelem.r8";
  EXPECT_TRUE(begins_on_stack(Data{0x06, 0x7b, 1, 0, 0, 4}, call_and_store)) << "ldfld";
  EXPECT_FALSE(begins_on_stack(store, call_and_store));
  EXPECT_FALSE(begins_on_stack(Data{0x06, 0x2d, 4}, call_and_store)) << "brtrue.s";
  EXPECT_FALSE(begins_on_stack(Data{0x06, 0x7a}, call_and_store)) << "throw";
  EXPECT_FALSE(begins_on_stack(Data{0x28, 1, 0, 0, 6}, call_and_store)) << "nobody knows";
  EXPECT_TRUE(begins_on_stack(Data{0x28, 1, 0, 0, 6}, Data{0x0b})) << "it begins with stloc.1";
  EXPECT_TRUE(begins_on_stack({}, Data{0xfe, 0x0e, 4, 1})) << "stloc";
  EXPECT_FALSE(begins_on_stack({}, {}));
  EXPECT_FALSE(begins_on_stack(Data{0xfe}, Data{0xfe})) << "cut off";
}

}  // namespace
}  // namespace walkabout::pdb
