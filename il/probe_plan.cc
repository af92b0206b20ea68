#include "il/probe_plan.h"

#include <algorithm>
#include <utility>

#include "il/flow.h"

namespace walkabout::il {
namespace {

using Term = ProbePlan::Term;
using Where = ProbePlan::Where;

constexpr uint32_t kNone = ~uint32_t{0};

bool is_leave(Op op) { return op == Op::kLeave || op == Op::kLeaveS; }
bool is_in(Op op, Op first, Op last) { return op >= first && op <= last; }

// Takes nothing from the stack and leaves one value there, come what may.
bool is_plain_load(Op op) {
  return is_in(op, Op::kLdarg0, Op::kLdloc3) || is_in(op, Op::kLdargS, Op::kLdargaS) ||
         is_in(op, Op::kLdlocS, Op::kLdlocaS) || is_in(op, Op::kLdnull, Op::kLdcR8) || op == Op::kLdstr ||
         op == Op::kLdarg || op == Op::kLdarga || op == Op::kLdloc || op == Op::kLdloca;
}

bool never_throws(Op op) {
  return is_plain_load(op) || op == Op::kNop || stores_local(op) || op == Op::kStargS || op == Op::kStarg ||
         op == Op::kDup || op == Op::kPop || is_conditional(op) || op == Op::kBr || op == Op::kBrS ||
         is_in(op, Op::kAdd, Op::kMul) || is_in(op, Op::kAnd, Op::kConvU8) || op == Op::kConvRUn ||
         op == Op::kIsinst || is_in(op, Op::kConvU2, Op::kConvI) || op == Op::kConvU ||
         is_in(op, Op::kCeq, Op::kCltUn) || is_prefix(op);
}

class Planner {
 public:
  Planner(const Body& body, bool instance, ProbePlan& plan) : body_(body), instance_(instance), plan_(plan) {}

  Cause make(const CallShapes& shapes) {
    std::vector<uint32_t> depths;
    if (const Cause cause = find_stack_depths(body_, shapes, &depths); cause != Cause::kNone) return cause;
    if (is_conditional(body_.code.back().op)) return Cause::kBranch;
    flow_ = flow_of(body_);
    const auto count = static_cast<uint32_t>(body_.code.size());
    is_point_.resize(count + 1);
    for (uint32_t i = 0; i < count; ++i) {
      const bool begins = flow_.begins_block(i) || depths[i] == 0 || returns_value_above(i);
      const bool is_behind_prefix = i > 0 && is_prefix(body_.code[i - 1].op);
      is_point_[i] = begins && !is_behind_prefix && can_insert(body_, i) == Cause::kNone;
    }
    for (uint32_t i = count; i-- > 0;) add(i);
    std::reverse(plan_.points.begin(), plan_.points.end());
    std::reverse(plan_.arms.begin(), plan_.arms.end());
    return Cause::kNone;
  }

 private:
  // behind_: terms that run as often as the code behind instruction i; none: nothing is known of it.
  void add(uint32_t i) {
    if (flow_.begins_block(i + 1) || i + 1 == body_.code.size()) end_block(i);
    if (may_throw(i)) behind_.clear();
    if (!is_point_[i]) return;
    if (behind_.empty()) behind_ = {new_probe({Where::kPoint, i, 0})};
    plan_.points.push_back(
        {i, static_cast<uint32_t>(plan_.terms.size()), static_cast<uint32_t>(behind_.size())});
    plan_.terms.insert(plan_.terms.end(), behind_.begin(), behind_.end());
    behind_ = {Term{false, i}};
  }

  void end_block(uint32_t i) {
    behind_.clear();
    const Instruction& last = body_.code[i];
    if (is_conditional(last.op)) {
      const std::vector<uint32_t> targets = arms_of(body_, i);
      for (auto path = static_cast<uint32_t>(targets.size()); path-- > 0;) {
        const uint32_t target = targets[path];
        const Where where = path == 0 ? Where::kNextArm : Where::kJumpArm;
        const Term term = is_only_way(target) ? Term{false, target} : new_probe({where, i, path});
        plan_.arms.push_back({i, path, target, term});
        behind_.push_back(term);
      }
    } else if (last.op == Op::kBr || last.op == Op::kBrS) {
      go_on_at(body_.labels[last.operand]);
    } else if (flows_on(last.op)) {
      go_on_at(i + 1);
    }
  }

  bool is_only_way(uint32_t target) const { return flow_.ways[target] == 1 && is_point_[target]; }
  void go_on_at(uint32_t target) {
    if (is_only_way(target)) behind_ = {Term{false, target}};
  }

  Term new_probe(const ProbePlan::Probe& probe) {
    plan_.probes.push_back(probe);
    return {true, static_cast<uint32_t>(plan_.probes.size() - 1)};
  }

  // `return x;` behind `x = Call();` where x was left on the stack.
  bool returns_value_above(uint32_t i) const {
    const Op op = body_.code[i].op;
    if (op != Op::kRet && !(stores_local(op) && i + 1 < body_.code.size() && is_leave(body_.code[i + 1].op)))
      return false;
    return i > 0 && may_throw(i - 1);
  }

  Op op_before(uint32_t i, uint32_t distance) const {
    return i >= distance ? body_.code[i - distance].op : Op::kBreak;
  }
  // Whether it may end the block's run. Fields of `this` and of variables are there.
  bool may_throw(uint32_t i) const {
    const Op op = body_.code[i].op;
    if (never_throws(op)) return false;
    if (op == Op::kLdfld || op == Op::kLdflda) {
      const Op before = op_before(i, 1);
      const bool is_there = (instance_ && before == Op::kLdarg0) || before == Op::kLdlocaS ||
                            before == Op::kLdargaS || before == Op::kLdloca || before == Op::kLdarga;
      return !is_there || flow_.begins_block(i);
    }
    if (op == Op::kStfld)
      return !(instance_ && op_before(i, 2) == Op::kLdarg0 && is_plain_load(op_before(i, 1)) &&
               !flow_.begins_block(i) && !flow_.begins_block(i - 1));
    return true;
  }

  const Body& body_;
  const bool instance_;
  ProbePlan& plan_;
  Flow flow_;
  std::vector<bool> is_point_;
  std::vector<Term> behind_;
};

class Prober {
 public:
  Prober(const ProbePlan& plan, const std::function<const Piece&(uint32_t)>& piece, Body& body)
      : piece_(piece),
        body_(body),
        at_(body.code.size()),
        next_arm_(body.code.size() + 1, kNone),
        jump_arms_(body.code.size()) {
    std::fill(at_.begin(), at_.end(), kNone);
    for (uint32_t i = 0; i < plan.probes.size(); ++i) {
      const ProbePlan::Probe& probe = plan.probes[i];
      if (probe.where == Where::kPoint)
        at_[probe.instruction] = i;
      else if (probe.where == Where::kNextArm)
        next_arm_[probe.instruction + 1] = i;
      else
        jump_arms_[probe.instruction].push_back({i, probe.path});
    }
  }

  void put() {
    const size_t old_labels = body_.labels.size();
    std::vector<uint32_t> moved(body_.code.size() + 1);
    for (uint32_t i = 0; i < body_.code.size(); ++i) {
      const uint32_t origin = body_.code[i].origin;
      add(next_arm_[i], origin);  // before what leads here otherwise
      moved[i] = here();
      add(at_[i], origin);
      const size_t branch = code_.size();
      code_.push_back(body_.code[i]);
      if (!jump_arms_[i].empty()) add_jump_arms(i, branch);
    }
    moved.back() = here();
    for (size_t label = 0; label < old_labels; ++label) body_.labels[label] = moved[body_.labels[label]];
    body_.code = std::move(code_);
  }

 private:
  uint32_t here() const { return static_cast<uint32_t>(code_.size()); }

  void add(uint32_t probe, uint32_t origin) {
    if (probe == kNone) return;
    for (Instruction instruction : piece_(probe).code) {
      instruction.origin = origin;
      code_.push_back(instruction);
    }
  }

  // branch STUB; br NEXT; STUB: the probe; br where it led; NEXT:
  void add_jump_arms(uint32_t i, size_t branch) {
    const uint32_t origin = body_.code[i].origin;
    const Label next = body_.add_label(0);
    code_.push_back({Op::kBr, origin, next});
    for (const auto& [probe, path] : jump_arms_[i]) {
      const Label stub = body_.add_label(here());
      Label target = 0;
      if (code_[branch].op == Op::kSwitch) {
        target = std::exchange(body_.switches[code_[branch].operand][path - 1], stub);
      } else {
        target = static_cast<Label>(std::exchange(code_[branch].operand, stub));
      }
      add(probe, origin);
      code_.push_back({Op::kBr, origin, target});
    }
    body_.labels[next] = here();
  }

  struct JumpArm {
    uint32_t probe, path;
  };
  const std::function<const Piece&(uint32_t)>& piece_;
  Body& body_;
  std::vector<Instruction> code_;
  // By instruction, the probe before it.
  std::vector<uint32_t> at_, next_arm_;
  std::vector<std::vector<JumpArm>> jump_arms_;  // by branch
};

// Sums, each point's once. What depends on itself is never reached.
class Summer {
 public:
  Summer(const ProbePlan& plan, std::span<const uint64_t> counts) : plan_(plan), counts_(counts) {
    const uint32_t end = plan.points.empty() ? 0 : plan.points.back().instruction + 1;
    point_at_.resize(end, kNone);
    for (uint32_t i = 0; i < plan.points.size(); ++i) point_at_[plan.points[i].instruction] = i;
    runs_.points.resize(plan.points.size());
    state_.resize(plan.points.size(), State::kNew);
  }

  Runs sum() {
    for (uint32_t i = 0; i < plan_.points.size(); ++i) sum_point(i);
    for (const ProbePlan::Arm& arm : plan_.arms) runs_.arms.push_back(value(arm.term));
    return std::move(runs_);
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };

  uint64_t value(const Term& term) const {
    return term.is_probe ? counts_[term.index] : runs_.points[point_at_[term.index]];
  }
  std::span<const Term> terms_of(const ProbePlan::Point& point) const {
    return std::span(plan_.terms).subspan(point.first_term, point.term_count);
  }

  void sum_point(uint32_t first) {
    std::vector<uint32_t> open = {first};
    while (!open.empty()) {
      const uint32_t i = open.back();
      const std::span<const Term> terms = terms_of(plan_.points[i]);
      if (state_[i] == State::kNew) {
        state_[i] = State::kOpen;
        for (const Term& term : terms) {
          if (!term.is_probe && state_[point_at_[term.index]] == State::kNew)
            open.push_back(point_at_[term.index]);
        }
        continue;
      }
      open.pop_back();
      if (state_[i] == State::kDone) continue;
      state_[i] = State::kDone;
      uint64_t runs = 0;
      for (const Term& term : terms) runs += value(term);
      runs_.points[i] = runs;
    }
  }

  const ProbePlan& plan_;
  std::span<const uint64_t> counts_;
  std::vector<uint32_t> point_at_;  // by instruction
  std::vector<State> state_;
  Runs runs_;
};

}  // namespace

Cause plan_probes(const Body& body, const CallShapes& shapes, bool instance, ProbePlan* plan) {
  *plan = ProbePlan();
  return Planner(body, instance, *plan).make(shapes);
}

Runs runs_of(const ProbePlan& plan, std::span<const uint64_t> counts) { return Summer(plan, counts).sum(); }

Cause put_probes(const ProbePlan& plan, const std::function<const Piece&(uint32_t probe)>& piece,
                 Body* body) {
  uint16_t stack = 0;
  for (uint32_t i = 0; i < plan.probes.size(); ++i) stack = std::max(stack, piece(i).stack);
  if (stack > 0xffff - body->header.max_stack) return Cause::kMoreStack;
  body->header.max_stack = static_cast<uint16_t>(body->header.max_stack + stack);
  Prober(plan, piece, *body).put();
  return Cause::kNone;
}

}  // namespace walkabout::il
