#include "il/try_finally.h"

#include <gtest/gtest.h>

#include "il/pieces.h"
#include "il/test_body.h"

namespace walkabout::il {
namespace {

using namespace testing;

// Marks that no compiler writes: ldc.i4.6, .7, .8, pop.
Around marked(std::optional<uint16_t> result = {}) {
  const auto mark = [](Op op) { return Piece{{{op}, {Op::kPop}}, 1}; };
  return {mark(Op::kLdcI46), mark(Op::kLdcI47), mark(Op::kLdcI48), result};
}
const Data kEnter = {0x1c, 0x26}, kReturning = {0x1d, 0x26}, kLeaving = {0x1e, 0x26, 0xdc};

Data leave(uint8_t distance) { return {0xdd, distance, 0, 0, 0}; }

Body wrapped(const Data& bytes, std::optional<uint16_t> result = {}) {
  Body body = body_of(bytes);
  EXPECT_EQ(wrap_in_finally(marked(result), &body), Cause::kNone);
  return body;
}

TEST(TryFinally, AMethodThatReturnsNothing) {
  const Body body = wrapped(tiny({0x00, 0x2a}));
  EXPECT_EQ(code_bytes(body), (kEnter + Data{0x00} + kReturning + leave(3) + kLeaving + Data{0x2a}));
  ASSERT_EQ(body.clauses.size(), 1u);
  const Clause& clause = body.clauses[0];
  EXPECT_EQ(clause.kind, ClauseKind::kFinally);
  EXPECT_EQ(body.labels[clause.try_begin], 2u);
  EXPECT_EQ(body.labels[clause.try_end], 6u);
  EXPECT_EQ(body.labels[clause.handler_begin], 6u);
  EXPECT_EQ(body.labels[clause.handler_end], 9u);
}

TEST(TryFinally, WhatIsThrownIsNotedAndTakenByNobody) {
  Body body = body_of(tiny({0x00, 0x2a}));
  Around around = marked();
  around.thrown = 3;
  ASSERT_EQ(wrap_in_finally(around, &body), Cause::kNone);
  // stloc.3; ldc.i4.0; endfilter; pop; rethrow
  EXPECT_EQ(code_bytes(body), (kEnter + Data{0x00} + kReturning + leave(10) + Data{0x0d, 0x16, 0xfe, 0x11} +
                               Data{0x26, 0xfe, 0x1a} + kLeaving + Data{0x2a}));
  ASSERT_EQ(body.clauses.size(), 2u);
  const Clause &filter = body.clauses[0], &finally = body.clauses[1];
  EXPECT_EQ(filter.kind, ClauseKind::kFilter);
  EXPECT_EQ(body.labels[filter.try_begin], body.labels[finally.try_begin]);
  EXPECT_EQ(filter.filter, filter.try_end);
  EXPECT_EQ(body.labels[filter.handler_end], body.labels[finally.try_end]);
}

TEST(TryFinally, EveryResultGoesThroughTheVariable) {
  // ldarg.0; brtrue.s; ldc.i4.0; ret; ldc.i4.1; ret
  const Body body = wrapped(tiny({0x02, 0x2d, 2, 0x16, 0x2a, 0x17, 0x2a}), 5);
  EXPECT_EQ(code_bytes(body), (kEnter + Data{0x02, 0x2d, 10} + Data{0x16, 0x13, 5} + kReturning + leave(13) +
                               Data{0x17, 0x13, 5} + kReturning + leave(3) + kLeaving + Data{0x11, 5, 0x2a}));
}

TEST(TryFinally, ABranchToTheBeginOrToAReturnStaysInTheTry) {
  // ldarg.0; brtrue.s 0; br.s to the ret; ret
  const Body body = wrapped(tiny({0x02, 0x2d, 0xfd, 0x2b, 0, 0x2a}));
  EXPECT_EQ(code_bytes(body),
            (kEnter + Data{0x02, 0x2d, 0xfd, 0x2b, 0} + kReturning + leave(3) + kLeaving + Data{0x2a}));
}

TEST(TryFinally, AMethodThatNeverReturnsHasNoReturn) {
  const Body body = wrapped(tiny({0x14, 0x7a}), 0);
  EXPECT_EQ(code_bytes(body), (kEnter + Data{0x14, 0x7a} + kLeaving));
}

TEST(TryFinally, ItsClauseIsTheOutermost) {
  // try { leave.s } finally { endfinally }, up to the end of the code but for the ret before
  const Data code = {0x2b, 1, 0x2a, 0xde, 0xfd, 0xdc};
  const Body body = wrapped(with_small(code, small_clause(2, {3, 2}, {5, 1}, 0)));
  const Body read = body_of(written(body).bytes);
  ASSERT_EQ(read.clauses.size(), 2u);
  EXPECT_EQ(read.labels[read.clauses[0].handler_end], read.labels[read.clauses[1].try_end]);
  EXPECT_EQ(read.labels[read.clauses[1].try_begin], 2u);
  EXPECT_EQ(read.labels[read.clauses[1].handler_begin], read.labels[read.clauses[1].try_end]);
}

TEST(TryFinally, TailCallsAreOrdinaryOnes) {
  // br.s to the prefix; tail. call; ret
  Body body = body_of(tiny({0x2b, 0, 0xfe, 0x14, 0x28, 1, 0, 0, 6, 0x2a}));
  uint32_t tail_calls = 0;
  ASSERT_EQ(wrap_in_finally(marked(), &body, &tail_calls), Cause::kNone);
  EXPECT_EQ(tail_calls, 1u);
  EXPECT_EQ(code_bytes(body),
            (kEnter + Data{0x2b, 0, 0x28, 1, 0, 0, 6} + kReturning + leave(3) + kLeaving + Data{0x2a}));
}

TEST(TryFinally, RefusesJumpsAndReturnsWithinClauses) {
  Body body = body_of(tiny({0x27, 1, 0, 0, 6}));
  EXPECT_EQ(wrap_in_finally(marked(), &body), Cause::kJmp);
  EXPECT_EQ(body.code.size(), 1u) << "as it was";
  for (const uint32_t at : {0u, 2u, 4u}) {
    Data code = nops(7);
    code[at] = 0x2a;
    const Cause expected = Cause::kReturnInClause;
    body = body_of(with_small(code, small_clause(1, {0, 2}, {4, 2}, 2)));
    EXPECT_EQ(wrap_in_finally(marked(), &body), expected) << at;
  }
  body = body_of(with_small(nops(6) + Data{0x2a}, small_clause(1, {0, 2}, {4, 2}, 2)));
  EXPECT_EQ(wrap_in_finally(marked(), &body), Cause::kNone);
}

TEST(TryFinally, TheStackIsAsDeepAsItHasToBe) {
  Around around = marked(0);
  Body body = body_of(fat({0x2a}, {0, 0}));
  ASSERT_EQ(wrap_in_finally(around, &body), Cause::kNone);
  EXPECT_EQ(body.header.max_stack, 1);
  around.leaving.stack = 30;
  body = body_of(fat({0x2a}, {0, 7}));
  ASSERT_EQ(wrap_in_finally(around, &body), Cause::kNone);
  EXPECT_EQ(body.header.max_stack, 30);
}

TEST(TryFinally, OldPlacesAreFoundAgain) {
  const WrittenBody out = written(wrapped(tiny({0x16, 0x2a}), 0));
  EXPECT_EQ(out.moved, (std::vector<Moved>{{0, 2}, {1, 3}}));
}

}  // namespace
}  // namespace walkabout::il
