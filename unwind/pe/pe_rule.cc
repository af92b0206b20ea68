#include "unwind/pe/pe_rule.h"

#include "unwind/pe/pe_codes.h"

namespace walkabout::unwind {

using pe::kDwarfOf;

namespace {

// Half of what a rule's offset can say, so that the difference of two fits too.
bool fits(int64_t offset) { return offset > INT32_MIN / 2 && offset < INT32_MAX / 2; }

}  // namespace

bool PeRule::add(UnwindInfo info) {
  if (info.size() < kUnwindHeaderSize || info.size() < kUnwindHeaderSize + size_t{info[2]} * 2) return false;
  const uint8_t frame_register = kDwarfOf[info[3] & 15];
  const bool framed = (info[3] & 15) != 0;
  // One register is the base of all: nothing may be saved from another, nor the frame register be changed.
  if (framed && (base_ != kRsp || any_saved_ || frame_register == kRsp)) return false;
  bool based = !framed;  // before the frame register is known, only allocations may have been passed
  int64_t frame = at_;
  for (pe::Codes codes(info); !codes.done();) {
    pe::Code code;
    if (!codes.next(&code) || code.offset > info[1]) return false;
    switch (code.op) {
      case pe::kPushNonvol:
        if (!based || !save(kDwarfOf[code.info], at_)) return false;
        at_ += 8;
        break;
      case pe::kAllocLarge:
        at_ += static_cast<int64_t>(code.info == 0 ? code.operand * 8 : code.operand);
        break;
      case pe::kAllocSmall:
        at_ += code.info * 8 + 8;
        break;
      case pe::kSetFpReg:
      case pe::kSetFpRegLarge:
        if (based) return false;  // there is none, or it is set already
        base_ = frame_register;
        at_ = frame =
            -static_cast<int64_t>(code.op == pe::kSetFpReg ? (info[3] >> 4) * 16u : code.operand * 16);
        based = true;
        break;
      case pe::kSaveNonvol:
      case pe::kSaveNonvolFar: {
        const uint64_t from_frame = code.op == pe::kSaveNonvol ? code.operand * 8 : code.operand;
        if (!based || !save(kDwarfOf[code.info], frame + static_cast<int64_t>(from_frame))) return false;
        break;
      }
      case pe::kPushMachFrame:
        return false;
      default:
        break;
    }
    if (!fits(at_)) return false;
  }
  return based;
}

bool PeRule::save(uint8_t reg, int64_t at) {
  // Saved twice: running the codes reads both words, a rule only one.
  if (reg == kRsp || saved_[reg] || !fits(at)) return false;
  any_saved_ = saved_[reg] = true;
  saved_at_[reg] = at;
  return true;
}

CfiRule PeRule::finish() const {
  const int64_t cfa = at_ + 8;
  CfiRule rule;
  rule.cfa.kind = CfaKind::kRegister;
  rule.cfa.reg = base_;
  rule.cfa.offset = static_cast<int32_t>(cfa);
  rule.registers[kRip] = {-8, 0, RuleKind::kAtCfa, 0};
  for (uint8_t r = 0; r < kRip; ++r) {
    if (saved_[r] && r != kRsp)
      rule.registers[r] = {static_cast<int32_t>(saved_at_[r] - cfa), 0, RuleKind::kAtCfa, 0};
  }
  return rule;
}

}  // namespace walkabout::unwind
