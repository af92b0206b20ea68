#include "il/body_writer.h"

#include <gtest/gtest.h>

#include "il/insertion.h"
#include "il/test_body.h"

namespace walkabout::il {
namespace {

using namespace testing;

Piece nop_piece(size_t count) { return {std::vector<Instruction>(count), 0}; }

// With so many nops before the instruction of that index.
Body grown(const Data& bytes, uint32_t before, size_t count) {
  Body body = body_of(bytes);
  const Piece piece = nop_piece(count);
  EXPECT_EQ(insert({{before, &piece}}, &body), Cause::kNone);
  return body;
}

TEST(BodyWriter, WhatWasNotChangedIsWhatItWas) {
  const Data two = small_clause(0, {0, 2}, {2, 2}, 0x01000002) + small_clause(1, {0, 4}, {6, 2}, 4);
  const Data bodies[] = {
      tiny({0x2a}),
      tiny(nops(63)),
      fat({0x2a}),
      fat({0x38, 0, 0, 0, 0, 0x2a}),  // a long branch that could be short
      fat({0x2a}, {kInitLocals | 0x80, 1, 0x11000001}),
      fat(Data{0x45, 2, 0, 0, 0} + Data{0xf3, 0xff, 0xff, 0xff, 0, 0, 0, 0} + Data{0x2a}),
      with_small(nops(9), two),
      with_fat(nops(9), fat_clause(2, {0, 2}, {2, 6}, 7)),
      with_fat(nops(1000), fat_clause(4, {0, 500}, {500, 500}, 0)),
  };
  for (const Data& bytes : bodies) {
    const WrittenBody out = written(body_of(bytes));
    EXPECT_EQ(out.bytes, bytes);
    for (const Moved& moved : out.moved) EXPECT_EQ(moved.from, moved.to);
  }
}

TEST(BodyWriter, ShortBranchesGrowWhereTheyDoNotReach) {
  const Data forward = {0x2b, 1, 0x00, 0x2a};  // br.s to the ret
  const Data backward = {0x00, 0x2b, 0xfd};    // nop; br.s to it
  const Data leave = {0xde, 1, 0x00, 0x2a};    // leave.s
  EXPECT_EQ(code_bytes(grown(tiny(forward), 1, 126)), (Data{0x2b, 127} + nops(127) + Data{0x2a}));
  EXPECT_EQ(code_bytes(grown(tiny(forward), 1, 127)), (Data{0x38, 128, 0, 0, 0} + nops(128) + Data{0x2a}));
  EXPECT_EQ(code_bytes(grown(tiny(backward), 1, 125)), (nops(126) + Data{0x2b, 0x80}));
  EXPECT_EQ(code_bytes(grown(tiny(backward), 1, 126)), (nops(127) + Data{0x38, 0x7c, 0xff, 0xff, 0xff}));
  EXPECT_EQ(code_bytes(grown(tiny(leave), 1, 127)), (Data{0xdd, 128, 0, 0, 0} + nops(128) + Data{0x2a}));
}

TEST(BodyWriter, OneThatGrowsMakesOthersGrow) {
  // Each leads over the next one to 127 bytes behind it; the last has one too many.
  for (const int chain : {2, 5, 40}) {
    Data code;
    for (int i = 0; i < chain; ++i) code = code + Data{0x2b, 127};
    code = code + nops(127 + 2) + Data{0x2a};
    Body body = body_of(fat(code));
    const Piece piece = nop_piece(1);
    ASSERT_EQ(insert({{static_cast<uint32_t>(body.code.size() - 3 - chain), &piece}}, &body), Cause::kNone);
    Body again = body_of(written(body).bytes);
    ASSERT_EQ(again.code.size(), body.code.size());
    for (size_t i = 0; i < body.code.size(); ++i) {
      if (!is_branch(operand_of(body.code[i].op))) continue;
      EXPECT_EQ(again.labels[again.code[i].operand], body.labels[body.code[i].operand]) << chain << ": " << i;
    }
  }
}

TEST(BodyWriter, ATinyHeaderBecomesFat) {
  EXPECT_TRUE(body_of(written(grown(tiny({0x2a}), 0, 63)).bytes).header.fat);
  EXPECT_FALSE(body_of(written(grown(tiny({0x2a}), 0, 62)).bytes).header.fat);
  Body body = body_of(tiny({0x2a}));
  body.header.max_stack = 9;
  EXPECT_EQ(body_of(written(body).bytes).header.max_stack, 9);
  body = body_of(tiny({0x2a}));
  body.header.locals = 0x11000007;
  EXPECT_EQ(body_of(written(body).bytes).header.locals, 0x11000007u);
}

TEST(BodyWriter, ASmallSectionBecomesFat) {
  const Data bytes = with_small(nops(4), small_clause(2, {0, 2}, {2, 2}, 0));
  EXPECT_FALSE(body_of(written(grown(bytes, 1, 253)).bytes).fat_clauses);
  const Body larger = body_of(written(grown(bytes, 1, 254)).bytes);
  EXPECT_TRUE(larger.fat_clauses);
  EXPECT_EQ(larger.labels[larger.clauses[0].handler_end], 258u);
  EXPECT_TRUE(body_of(written(grown(fat(nops(65536)), 0, 1)).bytes).clauses.empty());
  Data many;
  for (int i = 0; i < 20; ++i) many = many + small_clause(2, {0, 2}, {2, 2}, 0);
  Body body = body_of(with_small(nops(4), many));
  EXPECT_EQ(written(body).bytes, with_small(nops(4), many));
  body.clauses.push_back(body.clauses[0]);
  EXPECT_EQ(body_of(written(body).bytes).clauses.size(), 21u);
}

TEST(BodyWriter, SaysWhereTheOldCodeIs) {
  const WrittenBody out = written(grown(tiny({0x2b, 1, 0x00, 0x2a}), 1, 127));
  EXPECT_EQ(out.moved, (std::vector<Moved>{{0, 0}, {2, 5}, {3, 133}}));
  EXPECT_EQ(out.moved_to(0), 0u);
  EXPECT_EQ(out.moved_to(1), 0u) << "within the first";
  EXPECT_EQ(out.moved_to(2), 5u) << "what was inserted before it";
  EXPECT_EQ(out.moved_to(99), 133u);
}

TEST(BodyWriter, RefusesLabelsThatNameNoPlace) {
  WrittenBody out;
  Body body = body_of(tiny({0x2b, 0, 0x2a}));
  body.labels[0] = 3;
  EXPECT_EQ(write_body(body, &out), Cause::kLabel);
  body = body_of(tiny({0x2b, 0, 0x2a}));
  body.code[0].operand = 1;
  EXPECT_EQ(write_body(body, &out), Cause::kLabel);
  body = body_of(tiny({0x2a}));
  body.code[0] = {Op::kSwitch, 0, 0};
  EXPECT_EQ(write_body(body, &out), Cause::kLabel);
  body = body_of(tiny({0x2a}));
  body.clauses.resize(1);
  EXPECT_EQ(write_body(body, &out), Cause::kLabel);
}

TEST(BodyWriter, RefusesClausesThatEndBeforeTheyBegin) {
  Body body = body_of(with_small(nops(4), small_clause(2, {0, 2}, {2, 2}, 0)));
  std::swap(body.clauses[0].try_begin, body.clauses[0].try_end);
  WrittenBody out;
  EXPECT_EQ(write_body(body, &out), Cause::kClause);
}

}  // namespace
}  // namespace walkabout::il
