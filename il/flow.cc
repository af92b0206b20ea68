#include "il/flow.h"

namespace walkabout::il {

Flow flow_of(const Body& body) {
  constexpr uint32_t kUnknownWay = 2;
  Flow flow;
  flow.ways.assign(body.code.size() + 1, 0);
  flow.ways[0] = kUnknownWay;
  for (const Clause& clause : body.clauses) {
    flow.ways[body.labels[clause.handler_begin]] += kUnknownWay;
    if (clause.kind == ClauseKind::kFilter) flow.ways[body.labels[clause.filter]] += kUnknownWay;
  }
  std::vector<bool> falls(body.code.size() + 1);  // the instruction before goes on here
  for (uint32_t i = 0; i < body.code.size(); ++i) {
    const Instruction& instruction = body.code[i];
    const bool leaves = instruction.op == Op::kLeave || instruction.op == Op::kLeaveS;
    falls[i + 1] = flows_on(instruction.op);
    if (is_conditional(instruction.op)) {
      for (const uint32_t arm : arms_of(body, i)) ++flow.ways[arm];
      falls[i + 1] = false;  // counted as an arm
    } else if (is_branch(operand_of(instruction.op))) {
      flow.ways[body.labels[instruction.operand]] += leaves ? kUnknownWay : 1;
    }
  }
  for (uint32_t i = 1; i <= body.code.size(); ++i) {
    if (flow.ways[i] != 0)
      flow.ways[i] += falls[i];
    else if (!falls[i])
      flow.ways[i] = kUnknownWay;
  }
  return flow;
}

std::vector<uint32_t> arms_of(const Body& body, uint32_t index) {
  const Instruction& branch = body.code[index];
  std::vector<uint32_t> arms = {index + 1};
  if (branch.op == Op::kSwitch) {
    for (const Label target : body.switches[branch.operand]) arms.push_back(body.labels[target]);
  } else {
    arms.push_back(body.labels[branch.operand]);
  }
  return arms;
}

uint32_t behind_jumps(const Body& body, uint32_t index) {
  for (size_t steps = 0; steps < body.code.size() && index < body.code.size(); ++steps) {
    const Instruction& instruction = body.code[index];
    if (instruction.op != Op::kBr && instruction.op != Op::kBrS) break;
    index = body.labels[instruction.operand];
  }
  return index;
}

}  // namespace walkabout::il
