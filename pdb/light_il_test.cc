#include "pdb/light_il.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::pdb {
namespace {

using Data = std::vector<uint8_t>;

bool light(precompiled::Bytes il) { return weight_of(il) == Weight::kLight; }
bool step(precompiled::Bytes il) { return weight_of(il) == Weight::kStep; }

TEST(LightIl, BodiesOfBothKinds) {
  const Data tiny = {3 << 2 | 2, 0x16, 0x0a, 0x2a, 0xff};
  EXPECT_EQ(il_of(tiny).size(), 3u);
  EXPECT_EQ(il_of(tiny).front(), 0x16);
  const Data fat = {0x13, 0x30, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0x17, 0x2a, 0xff};
  EXPECT_EQ(il_of(fat).size(), 2u);
  EXPECT_EQ(il_of(fat).front(), 0x17);
  EXPECT_TRUE(il_of(Data{0x13, 0x30, 2, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0x17}).empty()) << "cut off";
  EXPECT_TRUE(il_of(Data{0x00}).empty());
  EXPECT_TRUE(il_of({}).empty());
}

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

TEST(LightIl, Steps) {
  EXPECT_TRUE(step(Data{0x06, 0x17, 0x58, 0x0a})) << "ldloc.0; ldc.i4.1; add; stloc.0";
  EXPECT_TRUE(step(Data{0x0e, 4, 0x1f, 50, 0x59, 0x10, 4})) << "ldarg.s; ldc.i4.s; sub; starg.s";
  EXPECT_TRUE(step(Data{0x11, 4, 0x20, 0, 1, 0, 0, 0x58, 0x13, 4})) << "ldloc.s; ldc.i4; add; stloc.s";
  EXPECT_FALSE(step(Data{0x06, 0x07, 0x58, 0x0a})) << "it adds a variable";
  EXPECT_FALSE(step(Data{0x06, 0x17, 0x5a, 0x0a})) << "it multiplies";
  EXPECT_FALSE(step(Data{0x06, 0x17, 0x58})) << "cut off";
  EXPECT_FALSE(step(Data{0x06, 0x17, 0x58, 0x0a, 0x2a})) << "something follows";
}

}  // namespace
}  // namespace walkabout::pdb
