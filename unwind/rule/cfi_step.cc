#include "unwind/rule/cfi_step.h"

#include "base/hot.h"
#include "unwind/rule/dwarf_expr.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kReturnAddressSize = 8;

StepStatus from_expression(const CfiRule& rule, int32_t offset, uint16_t size, const Registers& regs,
                           const Memory& memory, const uint64_t* initial, uint64_t* value) {
  const DwarfExpr expr{rule.expressions + offset, size};
  switch (evaluate(expr, regs, memory, initial, value)) {
    case ExprStatus::kOk:
      return StepStatus::kOk;
    case ExprStatus::kMemory:
      return StepStatus::kBadMemory;
    default:
      return StepStatus::kBadExpression;
  }
}

StepStatus find_cfa(const CfiRule& rule, const Registers& regs, const Memory& memory, uint64_t* cfa) {
  switch (rule.cfa.kind) {
    case CfaKind::kRegister:
      *cfa = regs.r[rule.cfa.reg] + static_cast<uint64_t>(static_cast<int64_t>(rule.cfa.offset));
      return StepStatus::kOk;
    case CfaKind::kExpression:
      return from_expression(rule, rule.cfa.offset, rule.cfa.size, regs, memory, nullptr, cfa);
    default:
      return StepStatus::kNoRule;
  }
}

StepStatus load(const Memory& memory, uint64_t address, uint64_t* value) {
  return memory.load64(address, value) ? StepStatus::kOk : StepStatus::kBadMemory;
}

// *value holds what the register is if it has no rule.
StepStatus find_register(const CfiRule& rule, const RegisterRule& reg, const Registers& regs,
                         const Memory& memory, uint64_t cfa, uint64_t* value) {
  const uint64_t at_cfa = cfa + static_cast<uint64_t>(static_cast<int64_t>(reg.value));
  switch (reg.kind) {
    case RuleKind::kSame:
      return StepStatus::kOk;
    case RuleKind::kUndefined:
      *value = 0;
      return StepStatus::kOk;  // so that nobody walks on by it
    case RuleKind::kAtCfa:
      return load(memory, at_cfa, value);
    case RuleKind::kValCfa:
      *value = at_cfa;
      return StepStatus::kOk;
    case RuleKind::kRegister:
      *value = regs.r[reg.value];
      return StepStatus::kOk;
    case RuleKind::kValExpression:
      return from_expression(rule, reg.value, reg.size, regs, memory, &cfa, value);
    case RuleKind::kExpression:
      break;
  }
  uint64_t address = 0;
  const StepStatus status = from_expression(rule, reg.value, reg.size, regs, memory, &cfa, &address);
  return status == StepStatus::kOk ? load(memory, address, value) : status;
}

}  // namespace

StepStatus cfi_step(const CfiRule& rule, Registers& regs, const Memory& memory) {
  const RegisterRule& ra = rule.registers[rule.return_column];
  if (rule.cfa.kind == CfaKind::kNone || (ra.kind == RuleKind::kSame && !kReturnInRegister))
    return StepStatus::kNoRule;
  if (ra.kind == RuleKind::kUndefined) return StepStatus::kOutermost;
  uint64_t cfa = 0;
  StepStatus status = find_cfa(rule, regs, memory, &cfa);
  Registers caller = regs;
  caller.sp() = cfa;
  for (size_t i = 0; i < kRegCount && status == StepStatus::kOk; ++i) {
    status = find_register(rule, rule.registers[i], regs, memory, cfa, &caller.r[i]);
  }
  if (status != StepStatus::kOk) return status;
  caller.pc() = return_address(caller.r[rule.return_column]);
  regs = caller;
  return StepStatus::kOk;
}

WALKABOUT_HOT StepStatus cfi_step(const CompactRule& rule, Registers& regs, const Memory& memory) {
  switch (rule.kind()) {
    case CompactRule::Kind::kPlain:
      break;
    case CompactRule::Kind::kGeneral:
      return cfi_step(*rule.general(), regs, memory);
    case CompactRule::Kind::kOutermost:
      return StepStatus::kOutermost;
    case CompactRule::Kind::kNone:
      return StepStatus::kNoRule;
  }
  const uint64_t cfa =
      regs.r[rule.cfa_register()] + static_cast<uint64_t>(static_cast<int64_t>(rule.cfa_offset()));
  uint64_t pc = 0;
  uint64_t saved[kSavedCount];
  if (!memory.load64(cfa - kReturnAddressSize, &pc)) return StepStatus::kBadMemory;
  for (size_t i = 0; i < kSavedCount; ++i) {
    saved[i] = regs.r[kSavedRegisters[i]];
    if (rule.slot(i) == kNotSaved) continue;
    const auto offset = static_cast<uint64_t>(int64_t{rule.slot(i)} * kSlotSize);
    if (!memory.load64(cfa + offset, &saved[i])) return StepStatus::kBadMemory;
  }
  for (size_t i = 0; i < kSavedCount; ++i) regs.r[kSavedRegisters[i]] = saved[i];
  regs.sp() = cfa;
  regs.pc() = pc;
  return StepStatus::kOk;
}

}  // namespace walkabout::unwind
