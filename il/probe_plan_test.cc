#include "il/probe_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "il/flow.h"
#include "il/pieces.h"
#include "il/test_body.h"

namespace walkabout::il {
namespace {

using namespace testing;

// What is called returns nothing (token 1) or a number (token 2).
std::optional<CallShape> shape_of_call(uint32_t token) { return CallShape{0, false, token == 2}; }

ProbePlan plan_of(const Body& body, bool instance = false) {
  ProbePlan plan;
  EXPECT_EQ(plan_probes(body, shape_of_call, instance, &plan), Cause::kNone);
  return plan;
}

// A probe's number, and then nothing.
Piece counted_probe(uint32_t probe) {
  return {{{Op::kLdcI8, kNoOrigin, probe}, {Op::kPop, kNoOrigin, 0}}, 1};
}

Body probed(const Body& body, const ProbePlan& plan) {
  Body copy = body;
  Piece piece;
  EXPECT_EQ(put_probes(
                plan,
                [&](uint32_t probe) -> const Piece& {
                  piece = counted_probe(probe);
                  return piece;
                },
                &copy),
            Cause::kNone);
  return copy;
}

// Runs a body whose branches and exceptions are drawn: what of it ran.
struct Ran {
  std::map<uint32_t, uint64_t> instructions;               // by index
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> arms;  // branch, path
  std::map<uint64_t, uint64_t> probes;
  bool ended = false;
};
Ran run(const Body& body, uint32_t seed) {
  constexpr int kMostSteps = 3000, kPatience = 300;
  Ran ran;
  std::minstd_rand random(seed);
  uint32_t at = 0;
  int drawn = 0;
  for (int step = 0; step < kMostSteps && !ran.ended; ++step) {
    const Instruction& i = body.code[at];
    ++ran.instructions[at];
    if (i.op == Op::kLdcI8) ++ran.probes[i.operand];
    if (is_conditional(i.op)) {
      const std::vector<uint32_t> arms = arms_of(body, at);
      const auto path = static_cast<uint32_t>(random() >> 8) % arms.size();
      ++drawn;
      ++ran.arms[{at, static_cast<uint32_t>(path)}];
      at = arms[path];
    } else if (i.op == Op::kBr) {
      at = body.labels[i.operand];
    } else if (i.op == Op::kRet || (i.op == Op::kCall && ((random() >> 8) % 6 == 0 || ++drawn > kPatience))) {
      ran.ended = true;  // a call by an exception
    } else {
      ++at;
    }
  }
  return ran;
}

Body random_body(uint32_t seed) {
  std::minstd_rand random(seed);
  const auto draw = [&random](uint32_t below) { return static_cast<uint32_t>(random() >> 8) % below; };
  Body body;
  const uint32_t blocks = 2 + draw(8);
  for (uint32_t b = 0; b < blocks; ++b) body.add_label(0);
  uint32_t origin = 0;
  const auto put = [&](Op op, uint64_t operand = 0) { body.code.push_back({op, origin++, operand}); };
  for (uint32_t b = 0; b < blocks; ++b) {
    body.labels[b] = static_cast<uint32_t>(body.code.size());
    for (uint32_t n = draw(4); n > 0; --n) {
      switch (draw(4)) {
        case 0:
          put(Op::kCall, 1);
          break;
        case 1:
          put(Op::kCall, 2), put(Op::kPop);
          break;
        case 2:
          put(Op::kLdcI40), put(Op::kPop);
          break;
        default:
          put(Op::kNop);
      }
    }
    if (b + 1 == blocks) break;
    switch (draw(5)) {
      case 0:
        put(Op::kBr, draw(blocks));
        break;
      case 1:
        put(Op::kLdcI40);
        put(Op::kSwitch, body.switches.size());
        body.switches.push_back({draw(blocks), draw(blocks), draw(blocks)});
        break;
      case 2:
        break;
      default:
        put(Op::kLdcI40), put(Op::kBrtrue, draw(blocks));
    }
  }
  put(Op::kRet);
  return body;
}

TEST(ProbePlan, CountsWhatRanWhateverTheCode) {
  uint64_t runs_to_their_end = 0, points = 0, probes = 0;
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    const Body body = random_body(seed);
    const ProbePlan plan = plan_of(body);
    const Body with_probes = probed(body, plan);
    points += plan.points.size() + plan.arms.size(), probes += plan.probes.size();
    const Ran plain = run(body, seed), counted = run(with_probes, seed);
    if (!plain.ended || !counted.ended) continue;
    ++runs_to_their_end;
    std::vector<uint64_t> counts(plan.probes.size());
    for (const auto& [probe, count] : counted.probes) counts[probe] = count;
    const Runs runs = runs_of(plan, counts);
    for (size_t i = 0; i < plan.points.size(); ++i) {
      const uint32_t at = plan.points[i].instruction;
      const auto found = plain.instructions.find(at);
      ASSERT_EQ(runs.points[i], found == plain.instructions.end() ? 0 : found->second)
          << "body " << seed << ", instruction " << at;
    }
    for (size_t i = 0; i < plan.arms.size(); ++i) {
      const auto found = plain.arms.find({plan.arms[i].branch, plan.arms[i].path});
      ASSERT_EQ(runs.arms[i], found == plain.arms.end() ? 0 : found->second)
          << "body " << seed << ", branch " << plan.arms[i].branch << " path " << plan.arms[i].path;
    }
  }
  EXPECT_GT(runs_to_their_end, 2000u);
  EXPECT_LT(probes, points * 2 / 3) << "the rest follows";
}

TEST(ProbePlan, WhatCannotBeLeftHasOneProbe) {
  // nop; ldarg.0; pop; ret
  const ProbePlan plan = plan_of(body_of(tiny({0x00, 0x02, 0x26, 0x2a})));
  EXPECT_EQ(plan.points.size(), 3u) << "each where nothing lies on the stack";
  EXPECT_EQ(plan.probes.size(), 1u);
}

TEST(ProbePlan, BehindACallTheRestIsCountedApart) {
  // call; nop; ret
  const ProbePlan plan = plan_of(body_of(tiny({0x28, 1, 0, 0, 0, 0x00, 0x2a})));
  EXPECT_EQ(plan.probes.size(), 2u);
  EXPECT_EQ(runs_of(plan, std::vector<uint64_t>{0, 1}).points, (std::vector<uint64_t>{1, 0, 0}));
}

TEST(ProbePlan, AReturnOfWhatWasCalledIsAPoint) {
  // call of a number; ret
  const ProbePlan plan = plan_of(body_of(tiny({0x28, 2, 0, 0, 0, 0x2a})));
  ASSERT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan.points[1].instruction, 1u);
}

TEST(ProbePlan, FieldsOfThisAreThere) {
  // ldarg.0; ldfld; pop; ret
  const Body body = body_of(tiny({0x02, 0x7b, 1, 0, 0, 4, 0x26, 0x2a}));
  EXPECT_EQ(plan_of(body, true).probes.size(), 1u);
  EXPECT_EQ(plan_of(body, false).probes.size(), 2u) << "the first argument may be null";
}

TEST(ProbePlan, AnArmThatLeadsWhereOthersDoHasAProbe) {
  // ldarg.0; brtrue.s ret; nop; ret
  const Body body = body_of(tiny({0x02, 0x2d, 1, 0x00, 0x2a}));
  const ProbePlan plan = plan_of(body);
  ASSERT_EQ(plan.arms.size(), 2u);
  EXPECT_FALSE(plan.arms[0].term.is_probe) << "the nop's";
  EXPECT_TRUE(plan.arms[1].term.is_probe);
  const Body read = body_of(written(probed(body, plan)).bytes);
  EXPECT_EQ(read.code.size(), body.code.size() + plan.probes.size() * 2 + 2) << "and two branches around it";
}

TEST(ProbePlan, ABranchAtTheEndIsNone) {
  Body body = body_of(tiny({0x02, 0x2d, 0xfd}));
  ProbePlan plan;
  EXPECT_EQ(plan_probes(body, shape_of_call, false, &plan), Cause::kBranch);
}

TEST(ProbePlan, CodeThatNothingLeadsToNeverRuns) {
  // ret; br.s to itself
  const ProbePlan plan = plan_of(body_of(tiny({0x2a, 0x2b, 0xfe})));
  std::vector<uint64_t> counts(plan.probes.size(), 0);
  EXPECT_EQ(runs_of(plan, counts).points, (std::vector<uint64_t>{0, 0}));
}

TEST(ProbePlan, AMarkBeginsWithItsAddress) {
  const Piece mark = mark_at(0x123456789abcdef0);
  Body body = body_of(tiny({0x2a}));
  ASSERT_EQ(insert({{0, &mark}}, &body), Cause::kNone);
  EXPECT_EQ(code_bytes(body).size(), kMarkSize + 1);
  EXPECT_EQ(mark.code.front().op, Op::kLdcI8);
}

}  // namespace
}  // namespace walkabout::il
