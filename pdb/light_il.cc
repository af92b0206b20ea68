#include "pdb/light_il.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "il/instruction_bytes.h"

namespace walkabout::pdb {
namespace {

using il::Op;
using il::stores_local;
using precompiled::Bytes;

bool is_one_of(Op op, Op first, Op last) { return op >= first && op <= last; }

bool loads_variable(Op op) {
  return is_one_of(op, Op::kLdarg0, Op::kLdloc3) || op == Op::kLdargS || op == Op::kLdlocS ||
         op == Op::kLdarg || op == Op::kLdloc;
}

bool stores_argument(Op op) { return op == Op::kStargS || op == Op::kStarg; }

// Behind those up to kConvU8.
bool converts(Op op) { return is_one_of(op, Op::kConvU2, Op::kConvI) || op == Op::kConvU; }

// Where a finally block follows it is called.
bool leaves(Op op) { return op == Op::kLeave || op == Op::kLeaveS || op == Op::kEndfinally; }

// Jumps, constants, and putting them into variables.
bool is_light(Op op) {
  return op == Op::kNop || stores_local(op) || is_one_of(op, Op::kLdnull, Op::kLdcR8) || op == Op::kBr ||
         op == Op::kBrS || leaves(op);
}

bool is_variable(Op op) { return loads_variable(op) || stores_argument(op); }

// Of variables' values, in a few cycles.
bool is_operation(Op op) {
  return is_one_of(op, Op::kAdd, Op::kMul) || is_one_of(op, Op::kAnd, Op::kConvU8) || converts(op) ||
         is_one_of(op, Op::kBrfalseS, Op::kBltUnS) || is_one_of(op, Op::kBrfalse, Op::kBltUn);
}

// Loads, and operations that leave their result.
bool leaves_value(Op op) {
  return loads_variable(op) || is_one_of(op, Op::kLdnull, Op::kDup) ||
         is_one_of(op, Op::kLdindI1, Op::kLdindRef) || is_one_of(op, Op::kAdd, Op::kConvU8) ||
         is_one_of(op, Op::kLdobj, Op::kIsinst) || op == Op::kUnbox ||
         is_one_of(op, Op::kLdfld, Op::kLdflda) || is_one_of(op, Op::kLdsfld, Op::kLdsflda) ||
         is_one_of(op, Op::kBox, Op::kLdelema) || is_one_of(op, Op::kLdelemI1, Op::kLdelemRef) ||
         op == Op::kLdelem || op == Op::kUnboxAny || converts(op);
}

// Only of something that is there already: these cannot be the first.
bool takes_value(Op op) {
  return stores_local(op) || stores_argument(op) || op == Op::kDup || op == Op::kPop || is_operation(op) ||
         is_one_of(op, Op::kLdindI1, Op::kLdindRef) || is_one_of(op, Op::kStindRef, Op::kStindR8);
}

}  // namespace

Weight weight_of(Bytes il) {
  bool light = !il.empty(), cheap = light, split = false;
  size_t operations = 0;
  for (size_t at = 0; at < il.size();) {
    const auto found = il::instruction_at(il, at);
    if (!found) return Weight::kAny;
    const Op op = found->op;
    const bool is_light_one = is_light(op), operates = is_operation(op);
    light = light && is_light_one;
    cheap = cheap && !leaves(op) && (is_light_one || operates || is_variable(op));
    operations += operates ? 1 : 0;
    const int64_t target = static_cast<int64_t>(at + found->size) + il::branch_distance(il, at, op);
    at += found->size;
    split = split ||
            (target != static_cast<int64_t>(at) && target > 0 && target < static_cast<int64_t>(il.size()));
  }
  if (light && !split) return Weight::kLight;
  if (cheap && operations <= kMostOperations) return Weight::kStep;
  return split ? Weight::kSplit : Weight::kAny;
}

bool begins_on_stack(Bytes before, Bytes il) {
  const auto first = il::op_at(il, 0);
  if (first && takes_value(*first)) return true;
  bool leaves = false;
  for (size_t at = 0; at < before.size();) {
    const auto found = il::instruction_at(before, at);
    if (!found) return false;
    leaves = leaves_value(found->op);
    at += found->size;
  }
  return leaves;
}

}  // namespace walkabout::pdb
