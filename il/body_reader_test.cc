#include "il/body_reader.h"

#include <gtest/gtest.h>

#include "il/test_body.h"

namespace walkabout::il {
namespace {

using namespace testing;

TEST(BodyReader, InstructionsWithTheirOperands) {
  // ldc.i4.s -1; ldc.i8; call; volatile. ldind.i1; ret
  const Data code =
      Data{0x1f, 0xff, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x28, 1, 0, 0, 6} + Data{0xfe, 0x13, 0x46, 0x2a};
  const Body body = body_of(tiny(code));
  EXPECT_EQ(ops_of(body),
            (std::vector<Op>{Op::kLdcI4S, Op::kLdcI8, Op::kCall, Op::kVolatile, Op::kLdindI1, Op::kRet}));
  EXPECT_EQ(body.code[0].operand, 0xffu);
  EXPECT_EQ(body.code[1].operand, 0x0807060504030201u);
  EXPECT_EQ(body.code[2].operand, 0x06000001u);
  EXPECT_EQ(body.code[4].origin, 18u);
}

TEST(BodyReader, BranchesAndSwitchesLeadToInstructions) {
  // br.s 6; switch 0, 15 (the ret); br 0; ret
  const Data code = Data{0x2b, 0x0d, 0x45, 2, 0, 0, 0} + Data{0xf1, 0xff, 0xff, 0xff, 5, 0, 0, 0} +
                    Data{0x38, 0xec, 0xff, 0xff, 0xff, 0x2a};
  const Body body = body_of(tiny(code));
  ASSERT_EQ(body.code.size(), 4u);
  EXPECT_EQ(body.labels[body.code[0].operand], 2u);
  EXPECT_EQ(body.labels[body.code[2].operand], 0u);
  ASSERT_EQ(body.switches.size(), 1u);
  EXPECT_EQ(body.labels[body.switches[0][0]], 0u);
  EXPECT_EQ(body.labels[body.switches[0][1]], 3u);
  EXPECT_EQ(body.labels.size(), 3u) << "one for each place";
}

TEST(BodyReader, SmallAndFatClauses) {
  const Data code = nops(8);
  const Data small = small_clause(0, {0, 2}, {2, 2}, 0x01000002) + small_clause(1, {0, 4}, {6, 2}, 4);
  const Data large = fat_clause(2, {0, 2}, {2, 6}, 7) + fat_clause(4, {0, 2}, {2, 6}, 0);
  const Body one = body_of(with_small(code, small)), other = body_of(with_fat(code, large));
  ASSERT_EQ(one.clauses.size(), 2u);
  EXPECT_EQ(one.clauses[0].kind, ClauseKind::kCatch);
  EXPECT_EQ(one.clauses[0].type_token, 0x01000002u);
  EXPECT_EQ(one.clauses[1].kind, ClauseKind::kFilter);
  EXPECT_EQ(one.labels[one.clauses[1].filter], 4u);
  EXPECT_EQ(one.labels[one.clauses[1].handler_end], 8u) << "the end of the code";
  EXPECT_FALSE(one.fat_clauses);
  ASSERT_EQ(other.clauses.size(), 2u);
  EXPECT_EQ(other.clauses[0].kind, ClauseKind::kFinally);
  EXPECT_EQ(other.clauses[0].type_token, 7u);
  EXPECT_EQ(other.clauses[1].kind, ClauseKind::kFault);
  EXPECT_EQ(other.labels[other.clauses[1].handler_begin], 2u);
  EXPECT_TRUE(other.fat_clauses);
}

TEST(BodyReader, SaysHowManyBytesItRead) {
  size_t size = 0;
  Body body;
  ASSERT_EQ(read_body(tiny({0x2a}) + nops(9), &body, &size), Cause::kNone);
  EXPECT_EQ(size, 2u);
  ASSERT_EQ(read_body(fat({0x2a}) + nops(9), &body, &size), Cause::kNone);
  EXPECT_EQ(size, 13u);
  ASSERT_EQ(read_body(with_small(nops(5), small_clause(2, {0, 2}, {2, 2}, 0)) + nops(9), &body, &size),
            Cause::kNone);
  EXPECT_EQ(size, 12u + 8 + 4 + 12);
}

TEST(BodyReader, ASizeWithoutTheSectionsHeaderCountsTheSameClauses) {
  Data body = with_small(nops(4), small_clause(2, {0, 2}, {2, 2}, 0));
  body[12 + 4 + 1] = 12;
  EXPECT_EQ(body_of(body).clauses.size(), 1u);
}

struct Bad {
  const char* what;
  Data bytes;
  Cause cause;
};

TEST(BodyReader, RefusesWhatIsNoBody) {
  const Data clause = small_clause(2, {0, 2}, {2, 2}, 0);
  Data cut = with_small(nops(4), clause);
  cut.pop_back();
  const Bad bad[] = {
      {"nothing", {}, Cause::kHeader},
      {"no header", {0}, Cause::kHeader},
      {"no code", tiny({}), Cause::kCut},
      {"code cut off", {4 << 2 | 2, 0x2a}, Cause::kCut},
      {"no instruction", tiny({0x24}), Cause::kInstruction},
      {"half a code", tiny({0xfe}), Cause::kInstruction},
      {"half an operand", tiny({0x20, 1, 2}), Cause::kInstruction},
      {"half a switch", tiny({0x45, 1, 0, 0, 0}), Cause::kInstruction},
      {"a switch of all memory", tiny({0x45, 0xff, 0xff, 0xff, 0xff}), Cause::kInstruction},
      {"a branch into an operand", tiny({0x2b, 1, 0x1f, 0}), Cause::kBranch},
      {"a branch before the code", tiny({0x2b, 0xfd}), Cause::kBranch},
      {"a branch behind the code", tiny({0x2b, 0}), Cause::kBranch},
      {"a switch out of the code", tiny({0x45, 1, 0, 0, 0, 9, 0, 0, 0}), Cause::kBranch},
      {"clauses cut off", cut, Cause::kCut},
      {"no section", fat(nops(4), {kMoreSections}), Cause::kCut},
      {"a section of another kind", with_section(nops(4), 0x02, clause), Cause::kSection},
      {"a section with another behind", with_section(nops(4), 0x81, clause), Cause::kSection},
      {"a clause of no kind", with_small(nops(4), small_clause(3, {0, 2}, {2, 2}, 0)), Cause::kClause},
      {"a clause behind the code", with_small(nops(4), small_clause(2, {0, 2}, {2, 9}, 0)), Cause::kClause},
      {"a clause from within", with_small({0x1f, 0, 0, 0}, small_clause(2, {1, 1}, {2, 2}, 0)),
       Cause::kClause},
      {"a clause from the end", with_small(nops(4), small_clause(2, {4, 0}, {2, 2}, 0)), Cause::kClause},
      {"a filter behind the code", with_small(nops(4), small_clause(1, {0, 2}, {2, 2}, 9)), Cause::kClause},
      {"a clause of all memory", with_fat(nops(4), fat_clause(2, {0, 0xffffffff}, {2, 2}, 0)),
       Cause::kClause},
  };
  for (const Bad& one : bad) {
    Body body;
    const Cause cause = read_body(one.bytes, &body);
    EXPECT_EQ(sentence_of(cause), sentence_of(one.cause)) << one.what;
  }
}

}  // namespace
}  // namespace walkabout::il
