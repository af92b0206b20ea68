#include "il/insertion.h"

#include <gtest/gtest.h>

#include "il/pieces.h"
#include "il/test_body.h"

namespace walkabout::il {
namespace {

using namespace testing;

Piece marks(size_t count, uint16_t stack) { return {std::vector<Instruction>(count, {Op::kBreak}), stack}; }

TEST(Insertion, WhatLedToTheInstructionLeadsToThePiece) {
  // brtrue.s to the last; nop; br.s to the first; ret
  Body body = body_of(tiny({0x2d, 3, 0x00, 0x2b, 0xfb, 0x2a}));
  const Piece one = marks(1, 1), two = marks(2, 3);
  ASSERT_EQ(insert({{0, &one}, {3, &two}}, &body), Cause::kNone);
  EXPECT_EQ(code_bytes(body), (Data{0x01, 0x2d, 3, 0x00, 0x2b, 0xfa, 0x01, 0x01, 0x2a}));
  EXPECT_EQ(body.header.max_stack, 8 + 3) << "the deepest one's";
}

TEST(Insertion, ClausesBeginAndEndWithThePieces) {
  // try {0, 1} catch {2, 3}, and behind it 4
  Body body = body_of(with_small(nops(5), small_clause(0, {0, 2}, {2, 2}, 0x01000001)));
  const Piece piece = marks(3, 0);
  ASSERT_EQ(insert({{0, &piece}, {2, &piece}, {4, &piece}}, &body), Cause::kNone);
  const Body read = body_of(written(body).bytes);
  const Clause& clause = read.clauses[0];
  EXPECT_EQ(read.labels[clause.try_begin], 0u);
  EXPECT_EQ(read.labels[clause.try_end], 5u);
  EXPECT_EQ(read.labels[clause.handler_begin], 5u);
  EXPECT_EQ(read.labels[clause.handler_end], 10u) << "what is behind the handler has its own";
}

TEST(Insertion, StandsBeforePrefixes) {
  // constrained. callvirt; volatile. unaligned. ldind.i1
  const Data code =
      Data{0xfe, 0x16, 1, 0, 0, 0x1b, 0x6f, 1, 0, 0, 0x0a} + Data{0xfe, 0x13, 0xfe, 0x12, 1, 0x46, 0x2a};
  Body body = body_of(tiny(code));
  const Piece piece = marks(1, 0);
  ASSERT_EQ(insert({{1, &piece}, {4, &piece}}, &body), Cause::kNone);
  EXPECT_EQ(ops_of(body), (std::vector<Op>{Op::kBreak, Op::kConstrained, Op::kCallvirt, Op::kBreak,
                                           Op::kVolatile, Op::kUnaligned, Op::kLdindI1, Op::kRet}));
}

TEST(Insertion, NotBetweenATailCallAndItsReturn) {
  Body body = body_of(tiny({0xfe, 0x14, 0x28, 1, 0, 0, 6, 0x2a}));
  const Piece piece = marks(1, 0);
  EXPECT_EQ(can_insert(body, 2), Cause::kBehindTailCall);
  EXPECT_EQ(insert({{0, &piece}, {2, &piece}}, &body), Cause::kBehindTailCall);
  EXPECT_EQ(body.code.size(), 3u) << "as it was";
  EXPECT_EQ(insert({{0, &piece}, {1, &piece}}, &body), Cause::kNone) << "before the prefix";
  EXPECT_EQ(body.code.size(), 5u);
}

TEST(Insertion, RefusesPlacesAndStacksThatAreNone) {
  Body body = body_of(tiny({0x2a}));
  const Piece piece = marks(1, 1);
  EXPECT_EQ(insert({{1, &piece}}, &body), Cause::kPlace);
  body.header.max_stack = 0xffff;
  EXPECT_EQ(insert({{0, &piece}}, &body), Cause::kMoreStack);
}

TEST(Insertion, FindsInstructionsByTheirPlace) {
  const Body body = body_of(tiny({0x20, 0, 0, 0, 0, 0x26, 0x2a}));
  EXPECT_EQ(index_of(body, 0), 0u);
  EXPECT_EQ(index_of(body, 5), 1u);
  EXPECT_EQ(index_of(body, 6), 2u);
  EXPECT_EQ(index_of(body, 3), std::nullopt);
  EXPECT_EQ(index_of(body, 7), std::nullopt);
}

TEST(Pieces, ACounter) {
  Body body = body_of(tiny({0x2a}));
  const Piece piece = count_at(0x1122334455667788);
  ASSERT_EQ(insert({{0, &piece}}, &body), Cause::kNone);
  // ldc.i8; conv.i; dup; ldind.i8; ldc.i4.1; conv.i8; add; stind.i8
  EXPECT_EQ(code_bytes(body), (Data{0x21, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xd3, 0x25, 0x4c,
                                    0x17, 0x6a, 0x58, 0x55, 0x2a}));
  EXPECT_EQ(body.header.max_stack, 8 + 3);
}

TEST(Pieces, ACall) {
  Body body = body_of(tiny({0x2a}));
  const uint64_t arguments[] = {7, 8};
  const Piece piece = call_native(0x10, arguments, 0x11000003);
  ASSERT_EQ(insert({{0, &piece}}, &body), Cause::kNone);
  EXPECT_EQ(code_bytes(body), (Data{0x21, 7, 0, 0, 0, 0, 0, 0, 0} + Data{0x21, 8, 0, 0, 0, 0, 0, 0, 0} +
                               Data{0x21, 0x10, 0, 0, 0, 0, 0, 0, 0, 0xd3, 0x29, 3, 0, 0, 0x11, 0x2a}));
  EXPECT_EQ(body.header.max_stack, 8 + 3);
}

TEST(Pieces, LocalsByTheirShortestForm) {
  EXPECT_EQ(store_local(0).op, Op::kStloc0);
  EXPECT_EQ(store_local(3).op, Op::kStloc3);
  EXPECT_EQ(store_local(4).op, Op::kStlocS);
  EXPECT_EQ(load_local(255).op, Op::kLdlocS);
  EXPECT_EQ(load_local(256).op, Op::kLdloc);
  EXPECT_EQ(load_local(256).operand, 256u);
}

TEST(Insertion, AtTheEntryABranchToTheBeginLeadsBehindThePiece) {
  // brtrue.s to the last; nop; br.s to the first; ret
  Body body = body_of(tiny({0x2d, 3, 0x00, 0x2b, 0xfb, 0x2a}));
  const Piece two = marks(2, 3);
  ASSERT_EQ(insert_at_entry(two, &body), Cause::kNone);
  EXPECT_EQ(code_bytes(body), (Data{0x01, 0x01, 0x2d, 3, 0x00, 0x2b, 0xfb, 0x2a}));
  EXPECT_EQ(body.header.max_stack, 8 + 3);
  EXPECT_EQ(written(body).moved_to(0), 0u) << "a stack trace's line of the first instruction";
  EXPECT_EQ(written(body).moved_to(2), 4u);
}

TEST(Insertion, AtTheEntryAClauseBeginsBehindThePiece) {
  Body body = body_of(with_small(nops(5), small_clause(0, {0, 2}, {2, 2}, 0x01000001)));
  const Piece piece = marks(3, 0);
  ASSERT_EQ(insert_at_entry(piece, &body), Cause::kNone);
  const Body read = body_of(written(body).bytes);
  EXPECT_EQ(read.labels[read.clauses[0].try_begin], 3u);
  EXPECT_EQ(read.labels[read.clauses[0].handler_end], 7u);
}

TEST(Insertion, AtTheEntryAStackThatIsTooDeepIsRefused) {
  Body body = body_of(fat({0x2a}, {.stack = 0xffff}));
  const Piece piece = marks(1, 1);
  EXPECT_EQ(insert_at_entry(piece, &body), Cause::kMoreStack);
  EXPECT_EQ(body.code.size(), 1u) << "as it was";
}

}  // namespace
}  // namespace walkabout::il
