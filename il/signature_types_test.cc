#include "il/signature_types.h"

#include <gtest/gtest.h>

namespace walkabout::il {
namespace {

using Data = std::vector<uint8_t>;

Returned returned_by(const Data& signature) {
  Returned returned;
  EXPECT_EQ(read_returned(signature, 0, &returned), Cause::kNone);
  return returned;
}
Data type_of(const Data& signature) {
  const Returned returned = returned_by(signature);
  EXPECT_FALSE(returned.nothing);
  return {returned.type.begin(), returned.type.end()};
}

TEST(SignatureTypes, WhatAMethodReturns) {
  EXPECT_TRUE(returned_by({0x00, 0, 0x01}).nothing);
  EXPECT_TRUE(returned_by({0x20, 1, 0x01, 0x08}).nothing);
  EXPECT_TRUE(returned_by({0x20, 1, 0x1f, 0x05, 0x01, 0x08}).nothing) << "init: void with a modifier";
  EXPECT_EQ(type_of({0x20, 0, 0x08}), Data{0x08});
  EXPECT_EQ(type_of({0x00, 0, 0x0f, 0x01}), (Data{0x0f, 0x01})) << "void*";
  EXPECT_EQ(type_of({0x00, 0, 0x10, 0x0e}), (Data{0x10, 0x0e})) << "ref string";
  EXPECT_EQ(type_of({0x00, 0, 0x1f, 0x05, 0x10, 0x08}), (Data{0x1f, 0x05, 0x10, 0x08})) << "ref readonly int";
  EXPECT_EQ(type_of({0x10, 1, 1, 0x1e, 0, 0x08}), (Data{0x1e, 0})) << "generic: its first parameter";
  EXPECT_EQ(type_of({0x00, 0, 0x15, 0x12, 0x81, 0x01, 2, 0x08, 0x1d, 0x0e}),
            (Data{0x15, 0x12, 0x81, 0x01, 2, 0x08, 0x1d, 0x0e}))
      << "Dictionary<int, string[]>";
  EXPECT_EQ(type_of({0x00, 0, 0x14, 0x08, 2, 1, 3, 1, 0}), (Data{0x14, 0x08, 2, 1, 3, 1, 0})) << "int[3,]";
  EXPECT_EQ(type_of({0x00, 0, 0x1b, 0x09, 1, 0x20, 0x05, 0x01, 0x08}),
            (Data{0x1b, 0x09, 1, 0x20, 0x05, 0x01, 0x08}))
      << "delegate* unmanaged<int, void>";
  EXPECT_EQ(type_of({0x05, 1, 0x16, 0x41, 0x08}), Data{0x16});
}

TEST(SignatureTypes, ATaskThatTheRuntimeMakes) {
  Returned returned;
  const Data signature = {0x00, 0, 0x12, 0x05};
  EXPECT_EQ(read_returned(signature, 0x2000, &returned), Cause::kRuntimeAsync);
  EXPECT_EQ(read_returned(signature, 0x0100, &returned), Cause::kNone) << "aggressive inlining";
}

TEST(SignatureTypes, RefusesWhatIsNone) {
  Data deep = {0x00, 0};
  deep.insert(deep.end(), 100, 0x0f);
  deep.push_back(0x08);
  Returned returned;
  for (const Data& bad : {Data{}, Data{0x06, 0x08}, Data{0x07, 1, 0x08}, Data{0x00, 0}, Data{0x00, 0, 0x17},
                          Data{0x00, 0, 0x15, 0x12, 5, 0x90}, Data{0x00, 0, 0x21, 1, 2, 3, 4, 5, 6, 7, 8},
                          deep, Data{0x00, 0, 0x15, 0x12, 5, 0xdf, 0xff, 0xff, 0xff, 0x08}})
    EXPECT_EQ(read_returned(bad, 0, &returned), Cause::kSignature);
}

TEST(SignatureTypes, LocalsWithMoreBehindThem) {
  Locals locals;
  const Data pinned = {0x07, 2, 0x45, 0x10, 0x08, 0x0e};
  ASSERT_EQ(Locals::read(pinned, &locals), Cause::kNone);
  EXPECT_EQ(locals.count(), 2u);
  EXPECT_EQ(locals.bytes(), pinned);
  uint16_t index = 0;
  ASSERT_EQ(locals.append(Data{0x1d, 0x02}, &index), Cause::kNone);
  EXPECT_EQ(index, 2);
  EXPECT_EQ(locals.bytes(), (Data{0x07, 3, 0x45, 0x10, 0x08, 0x0e, 0x1d, 0x02}));
}

TEST(SignatureTypes, LocalsOfAMethodWithoutAny) {
  Locals locals;
  uint16_t index = 9;
  ASSERT_EQ(locals.append(Data{0x08}, &index), Cause::kNone);
  EXPECT_EQ(index, 0);
  EXPECT_EQ(locals.bytes(), (Data{0x07, 1, 0x08}));
}

TEST(SignatureTypes, ManyLocals) {
  Locals locals;
  uint16_t index = 0;
  for (uint32_t i = 0; i < kMostLocals; ++i) ASSERT_EQ(locals.append(Data{0x08}, &index), Cause::kNone);
  EXPECT_EQ(locals.append(Data{0x08}, &index), Cause::kMoreLocals);
  const Data bytes = locals.bytes();
  EXPECT_EQ(Data(bytes.begin(), bytes.begin() + 5), (Data{0x07, 0xc0, 0x00, 0xff, 0xfe}));
  Locals again;
  ASSERT_EQ(Locals::read(bytes, &again), Cause::kNone);
  EXPECT_EQ(again.count(), kMostLocals);
}

TEST(SignatureTypes, RefusesLocalsThatAreNone) {
  Locals locals;
  for (const Data& bad : {Data{}, Data{0x06, 0x08}, Data{0x07}, Data{0x07, 2, 0x08}, Data{0x07, 1, 0x17},
                          Data{0x07, 0xc0, 0x01, 0, 0}})
    EXPECT_EQ(Locals::read(bad, &locals), Cause::kSignature);
  const Data more = {0x07, 1, 0x08, 0x08, 0x08};
  ASSERT_EQ(Locals::read(more, &locals), Cause::kNone);
  EXPECT_EQ(locals.bytes(), (Data{0x07, 1, 0x08})) << "what lies behind is none";
}

}  // namespace
}  // namespace walkabout::il
