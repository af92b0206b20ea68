#include "unwind/cfi/cfi_interpret.h"

#include <cstring>

#include "unwind/cfi/cfi_fixup.h"
#include "unwind/cfi/cfi_plt.h"
#include "unwind/cfi/cfi_pointer.h"

namespace walkabout::unwind {
namespace {

enum Opcode : uint8_t {
  kNop = 0x00,
  kSetLoc = 0x01,
  kAdvanceLoc1 = 0x02,
  kAdvanceLoc2 = 0x03,
  kAdvanceLoc4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefCfa = 0x0c,
  kDefCfaRegister = 0x0d,
  kDefCfaOffset = 0x0e,
  kDefCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSf = 0x11,
  kDefCfaSf = 0x12,
  kDefCfaOffsetSf = 0x13,
  kValOffset = 0x14,
  kValOffsetSf = 0x15,
  kValExpression = 0x16,
  kAdvanceLoc8 = 0x1d,    // MIPS's, but any assembler may emit it
  kNegateRaState = 0x2d,  // AArch64: from here on return addresses are signed, or not
  kGnuArgsSize = 0x2e,    // for exception handlers, no concern of an unwinder
  kGnuNegativeOffsetExtended = 0x2f,
};
// Opcodes that carry their operand in the low six bits.
constexpr uint8_t kPrimaryMask = 0xc0;
constexpr uint8_t kOperandMask = 0x3f;
constexpr uint8_t kAdvanceLoc = 0x40;
constexpr uint8_t kOffset = 0x80;
constexpr uint8_t kRestore = 0xc0;

}  // namespace

void CfiRows::start(const Fde& fde) {
  fde_ = &fde;
  begin_ = end_ = fde.begin;
  remembered_count_ = 0;
  const bool known = initial_cie_ != SIZE_MAX && fde.cie.offset == initial_cie_;
  ok_ = known || run_cie(fde.cie);
  rule_ = initial_;
  code_ = CfiReader(fde.instructions);
}

bool CfiRows::run_cie(const Cie& cie) {
  rule_ = CfiRule{};
  rule_.expressions = section_.frames.data;
  rule_.return_column = cie.return_column;
  rule_.signal_frame = cie.signal_frame;
  code_ = CfiReader(cie.instructions);
  bool done = true;
  in_cie_ = true;
  while (done && !code_.at_end()) done = apply(code_.u8());
  done = done && remembered_count_ == 0;
  in_cie_ = false;
  initial_ = rule_;
  initial_cie_ = done ? cie.offset : SIZE_MAX;
  return done;
}

bool CfiRows::next() {
  begin_ = end_;
  if (!ok_ || begin_ >= fde_->end) return false;
  while (!code_.at_end()) {
    ok_ = apply(code_.u8());
    if (!ok_) return false;
    if (end_ == begin_) continue;
    if (end_ > fde_->end) end_ = fde_->end;
    return true;
  }
  end_ = fde_->end;
  return true;
}

bool CfiRows::apply(uint8_t opcode) {
  const uint8_t operand = opcode & kOperandMask;
  bool done = false;
  switch (opcode & kPrimaryMask) {
    case kAdvanceLoc:
      done = advance(operand);
      break;
    case kOffset:
      done = set_factored(operand, RuleKind::kAtCfa);
      break;
    case kRestore:
      done = restore(operand);
      break;
    default:
      done = apply_location(opcode);
      break;
  }
  return done && code_.ok();
}

bool CfiRows::apply_location(uint8_t opcode) {
  switch (opcode) {
    case kNop:
      return true;
    case kSetLoc:
      return set_location();
    case kAdvanceLoc1:
      return advance(code_.u8());
    case kAdvanceLoc2:
      return advance(code_.u16());
    case kAdvanceLoc4:
      return advance(code_.u32());
    case kAdvanceLoc8:
      return advance(code_.u64());
    case kRememberState:
      return remember();
    case kRestoreState:
      return restore_remembered();
    case kNegateRaState:
      return kSignsReturnAddresses;  // the signature is told by the address itself
    case kGnuArgsSize:
      code_.uleb();
      return true;
    default:
      return apply_cfa(opcode);
  }
}

bool CfiRows::apply_cfa(uint8_t opcode) {
  const CfaRule& cfa = rule_.cfa;
  const bool by_register = cfa.kind == CfaKind::kRegister;
  const uint64_t reg =
      opcode == kDefCfa || opcode == kDefCfaSf || opcode == kDefCfaRegister ? code_.uleb() : cfa.reg;
  switch (opcode) {
    case kDefCfa:
      return define_cfa(reg, static_cast<int64_t>(code_.uleb()));
    case kDefCfaSf: {
      int64_t offset = 0;
      return !__builtin_mul_overflow(code_.sleb(), fde_->cie.data_align, &offset) && define_cfa(reg, offset);
    }
    case kDefCfaRegister:
      return by_register && define_cfa(reg, cfa.offset);
    case kDefCfaOffset:
      return by_register && define_cfa(reg, static_cast<int64_t>(code_.uleb()));
    case kDefCfaOffsetSf: {
      int64_t offset = 0;
      return by_register && !__builtin_mul_overflow(code_.sleb(), fde_->cie.data_align, &offset) &&
             define_cfa(reg, offset);
    }
    case kDefCfaExpression:
      return define_cfa_expression();
    default:
      return apply_register(opcode);
  }
}

bool CfiRows::apply_register(uint8_t opcode) {
  const uint64_t reg = code_.uleb();
  switch (opcode) {
    case kOffsetExtended:
      return set_factored(reg, RuleKind::kAtCfa);
    case kOffsetExtendedSf:
      return set_factored_signed(reg, RuleKind::kAtCfa);
    case kValOffset:
      return set_factored(reg, RuleKind::kValCfa);
    case kValOffsetSf:
      return set_factored_signed(reg, RuleKind::kValCfa);
    case kRestoreExtended:
      return restore(reg);
    case kUndefined:
      return set(reg, RuleKind::kUndefined);
    case kSameValue:
      return set_from_register(reg, reg);
    case kRegister:
      return set_from_register(reg, code_.uleb());
    case kExpression:
      return set_expression(reg, RuleKind::kExpression);
    case kValExpression:
      return set_expression(reg, RuleKind::kValExpression);
    case kGnuNegativeOffsetExtended: {
      int64_t offset = 0;
      return !__builtin_mul_overflow(code_.uleb(), -fde_->cie.data_align, &offset) &&
             set(reg, RuleKind::kAtCfa, offset);
    }
    default:
      return false;
  }
}

bool CfiRows::advance(uint64_t delta) {
  uint64_t bytes = 0;
  return !in_cie_ && !__builtin_mul_overflow(delta, fde_->cie.code_align, &bytes) &&
         !__builtin_add_overflow(end_, bytes, &end_);
}

bool CfiRows::set_location() {
  uint64_t to = 0;
  if (in_cie_ || !read_pointer(code_, fde_->cie.pointer_encoding, section_.header.address, &to) || to < end_)
    return false;
  end_ = to;
  return true;
}

bool CfiRows::remember() {
  if (remembered_count_ == kMaxRememberedStates) return false;
  remembered_.rules[remembered_count_++] = rule_;
  return true;
}

bool CfiRows::restore_remembered() {
  if (remembered_count_ == 0) return false;
  rule_ = remembered_.rules[--remembered_count_];
  return true;
}

bool CfiRows::define_cfa(uint64_t reg, int64_t offset) {
  if (reg >= kRegCount || offset < INT32_MIN || offset > INT32_MAX) return false;
  rule_.cfa = {
      .offset = static_cast<int32_t>(offset), .kind = CfaKind::kRegister, .reg = static_cast<uint8_t>(reg)};
  return true;
}

bool CfiRows::define_cfa_expression() {
  rule_.cfa = {.kind = CfaKind::kExpression};
  return read_expression(&rule_.cfa.offset, &rule_.cfa.size);
}

// Registers we do not restore (vector registers) are read over.
bool CfiRows::set(uint64_t reg, RuleKind kind, int64_t value) {
  if (value < INT32_MIN || value > INT32_MAX) return false;
  if (reg < kRegCount) rule_.registers[reg] = {.value = static_cast<int32_t>(value), .kind = kind};
  return true;
}

bool CfiRows::set_factored(uint64_t reg, RuleKind kind) {
  int64_t offset = 0;
  return !__builtin_mul_overflow(code_.uleb(), fde_->cie.data_align, &offset) && set(reg, kind, offset);
}

bool CfiRows::set_factored_signed(uint64_t reg, RuleKind kind) {
  int64_t offset = 0;
  return !__builtin_mul_overflow(code_.sleb(), fde_->cie.data_align, &offset) && set(reg, kind, offset);
}

bool CfiRows::set_expression(uint64_t reg, RuleKind kind) {
  RegisterRule rule{.kind = kind};
  if (!read_expression(&rule.value, &rule.size)) return false;
  if (reg < kRegCount) rule_.registers[reg] = rule;
  return true;
}

// "Same" is the rule we give registers without a rule; only for rsp, which then is the CFA, it must be
// given.
bool CfiRows::set_from_register(uint64_t reg, uint64_t source) {
  if (source == reg && reg != kStackRegister) return set(reg, RuleKind::kSame);
  if (source >= kRegCount) return set(reg, RuleKind::kUndefined);  // kept in a vector register
  return set(reg, RuleKind::kRegister, static_cast<int64_t>(source));
}

bool CfiRows::restore(uint64_t reg) {
  if (in_cie_) return false;
  if (reg < kRegCount) rule_.registers[reg] = initial_.registers[reg];
  return true;
}

bool CfiRows::read_expression(int32_t* offset, uint16_t* size) {
  const MappedBytes bytes = code_.take(code_.uleb());
  if (!code_.ok() || bytes.size > UINT16_MAX) return false;
  const ptrdiff_t at = bytes.data - rule_.expressions;
  if (at > INT32_MAX) return false;
  *offset = static_cast<int32_t>(at);
  *size = static_cast<uint16_t>(bytes.size);
  return true;
}

namespace {

CfiStatus interpret_fde(const CfiSection& section, uint64_t pc, CfiRule* rule) {
  Fde fde;
  const CfiStatus found = find_fde(section, pc, &fde);
  if (found != CfiStatus::kOk) return found;
  CfiRows rows(section);
  CfiFixer fixer(section, fde, find_fault(section, rows, fde));
  rows.start(fde);
  while (rows.next()) {
    fixer.enter_row(rows.rule());
    if (pc >= rows.end()) continue;
    *rule = fixer.rule_at(pc);
    return CfiStatus::kOk;
  }
  return CfiStatus::kMalformed;
}

}  // namespace

CfiStatus cfi_interpret(const CfiSection& section, uint64_t pc, CfiRule* rule) {
  const CfiStatus status = interpret_fde(section, pc, rule);
  return status != CfiStatus::kOk && plt_rule(section, pc, rule) ? CfiStatus::kOk : status;
}

}  // namespace walkabout::unwind
