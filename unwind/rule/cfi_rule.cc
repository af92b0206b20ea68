#include "unwind/rule/cfi_rule.h"

#include <bit>
#include <cstring>

namespace walkabout::unwind {
namespace {

constexpr int kReturnSlot = -8;  // where a call leaves the return address, from the CFA

uint64_t bits(const RegisterRule& rule) { return std::bit_cast<uint64_t>(rule); }

unsigned kind(const RegisterRule& rule) { return static_cast<unsigned>(rule.kind); }

// No rule for the registers a callee may clobber, nor about rsp. Spelled out: a loop is a third of
// compiling.
bool only_saved_registers(const CfiRule& rule) {
  const RegisterRule* reg = rule.registers;
  static_assert(RuleKind::kSame == RuleKind{0});
  const unsigned low =
      kind(reg[kRax]) | kind(reg[kRdx]) | kind(reg[kRcx]) | kind(reg[kRsi]) | kind(reg[kRdi]);
  const unsigned high = kind(reg[kRsp]) | kind(reg[kR8]) | kind(reg[kR9]) | kind(reg[kR10]) | kind(reg[kR11]);
  return (low | high) == 0;
}

bool fits_slot(const RegisterRule& rule) {
  return rule.kind == RuleKind::kAtCfa && rule.value % kSlotSize == 0 && rule.value > kNotSaved * kSlotSize &&
         rule.value <= INT8_MAX * kSlotSize;
}

bool same_bytes(const CfiRule& a, int32_t a_offset, const CfiRule& b, int32_t b_offset, size_t size) {
  return size == 0 || std::memcmp(a.expressions + a_offset, b.expressions + b_offset, size) == 0;
}

bool same_register(const CfiRule& a, const CfiRule& b, size_t reg) {
  const RegisterRule& x = a.registers[reg];
  const RegisterRule& y = b.registers[reg];
  if (x.kind != y.kind || x.size != y.size) return false;
  return is_expression(x.kind) ? same_bytes(a, x.value, b, y.value, x.size) : x.value == y.value;
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

uint64_t mix_bytes(uint64_t hash, const uint8_t* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) hash = mix(hash, bytes[i]);
  return hash;
}

}  // namespace

bool CompactRule::plain(const CfiRule& rule, CompactRule* compact) {
  if (rule.cfa.kind != CfaKind::kRegister || rule.return_column != kRip || !only_saved_registers(rule))
    return false;
  const RegisterRule& ra = rule.registers[kRip];
  const bool outermost = ra.kind == RuleKind::kUndefined;
  if (!outermost && (ra.kind != RuleKind::kAtCfa || ra.value != kReturnSlot)) return false;
  uint64_t form =
      static_cast<uint64_t>(outermost ? Kind::kOutermost : Kind::kPlain) | (rule.signal_frame ? 0x100 : 0);
  for (size_t i = 0; i < kSavedCount; ++i) {
    const RegisterRule& saved = rule.registers[kSavedRegisters[i]];
    if (saved.kind == RuleKind::kSame) continue;
    if (!fits_slot(saved)) return false;
    form |= static_cast<uint64_t>(static_cast<uint8_t>(saved.value / kSlotSize) ^ 0x80) << (16 + 8 * i);
  }
  *compact =
      CompactRule(static_cast<uint32_t>(rule.cfa.offset) | static_cast<uint64_t>(rule.cfa.reg) << 32, form);
  return true;
}

CompactRule CompactRule::general(const CfiRule* general) {
  return {reinterpret_cast<uint64_t>(general),
          static_cast<uint64_t>(Kind::kGeneral) | (general->signal_frame ? uint64_t{0x100} : 0)};
}

CfiRule CompactRule::expand() const {
  if (kind() == Kind::kGeneral) return *general();
  CfiRule rule;
  if (kind() == Kind::kNone) return rule;
  rule = stack_rule(cfa_offset());
  rule.cfa.reg = cfa_register();
  rule.signal_frame = signal_frame();
  if (kind() == Kind::kOutermost) rule.registers[kRip] = {.kind = RuleKind::kUndefined};
  for (size_t i = 0; i < kSavedCount; ++i) {
    if (slot(i) == kNotSaved) continue;
    rule.registers[kSavedRegisters[i]] = {.value = slot(i) * kSlotSize, .kind = RuleKind::kAtCfa};
  }
  return rule;
}

CfiRule stack_rule(int32_t cfa_offset) {
  CfiRule rule;
  rule.cfa = {.offset = cfa_offset, .kind = CfaKind::kRegister, .reg = kRsp};
  rule.registers[kRip] = {.value = kReturnSlot, .kind = RuleKind::kAtCfa};
  return rule;
}

bool same_rule(const CfiRule& a, const CfiRule& b) {
  if (a.return_column != b.return_column || a.signal_frame != b.signal_frame) return false;
  if (a.cfa.kind != b.cfa.kind || a.cfa.reg != b.cfa.reg || a.cfa.size != b.cfa.size) return false;
  if (a.cfa.kind == CfaKind::kExpression) {
    if (!same_bytes(a, a.cfa.offset, b, b.cfa.offset, a.cfa.size)) return false;
  } else if (a.cfa.offset != b.cfa.offset) {
    return false;
  }
  for (size_t reg = 0; reg < kRegCount; ++reg) {
    if (!same_register(a, b, reg)) return false;
  }
  return true;
}

uint64_t hash_rule(const CfiRule& rule) {
  uint64_t hash = mix(rule.return_column, rule.signal_frame ? 1 : 0);
  hash = mix(hash, static_cast<uint64_t>(rule.cfa.kind) << 32 | static_cast<uint64_t>(rule.cfa.reg) << 16 |
                       rule.cfa.size);
  if (rule.cfa.kind == CfaKind::kExpression) {
    hash = mix_bytes(hash, rule.expressions + rule.cfa.offset, rule.cfa.size);
  } else {
    hash = mix(hash, static_cast<uint32_t>(rule.cfa.offset));
  }
  for (const RegisterRule& reg : rule.registers) {
    if (is_expression(reg.kind)) {
      hash = mix_bytes(mix(hash, static_cast<uint64_t>(reg.kind)), rule.expressions + reg.value, reg.size);
    } else {
      hash = mix(hash, bits(reg));
    }
  }
  return hash;
}

}  // namespace walkabout::unwind
