#include "walker/pe_rule.h"

#include "walker/pe_codes.h"

namespace walkabout::walker {

using pe::kDwarfOf;

bool PeRule::add(UnwindInfo info) {
  if (info.size() < kUnwindHeaderSize || info.size() < kUnwindHeaderSize + size_t{info[2]} * 2) return false;
  const uint8_t frame_register = info[3] & 15;
  bool based = frame_register == 0;  // before the frame register is known, only allocations may have been passed
  int64_t frame = at_;
  if (!based && base_ != kRsp) return false;
  for (pe::Codes codes(info); !codes.done();) {
    pe::Code code;
    if (!codes.next(&code)) return false;
    switch (code.op) {
      case pe::kPushNonvol:
        if (!based) return false;
        saved_[kDwarfOf[code.info]] = true;
        saved_at_[kDwarfOf[code.info]] = at_;
        at_ += 8;
        break;
      case pe::kAllocLarge: at_ += static_cast<int64_t>(code.info == 0 ? code.operand * 8 : code.operand); break;
      case pe::kAllocSmall: at_ += code.info * 8 + 8; break;
      case pe::kSetFpReg:
      case pe::kSetFpRegLarge:
        base_ = kDwarfOf[frame_register];
        at_ = frame = -static_cast<int64_t>(code.op == pe::kSetFpReg ? (info[3] >> 4) * 16u : code.operand * 16);
        based = true;
        break;
      case pe::kSaveNonvol:
      case pe::kSaveNonvolFar:
        if (!based) return false;
        saved_[kDwarfOf[code.info]] = true;
        saved_at_[kDwarfOf[code.info]] = frame + static_cast<int64_t>(code.op == pe::kSaveNonvol ? code.operand * 8 : code.operand);
        break;
      case pe::kPushMachFrame: return false;
      default: break;
    }
  }
  return based;
}

CfiRule PeRule::finish() const {
  const int64_t cfa = at_ + 8;
  CfiRule rule;
  rule.cfa.kind = CfaKind::kRegister;
  rule.cfa.reg = base_;
  rule.cfa.offset = static_cast<int32_t>(cfa);
  rule.registers[kRip] = {-8, 0, RuleKind::kAtCfa, 0};
  for (uint8_t r = 0; r < kRip; ++r) {
    if (saved_[r] && r != kRsp) rule.registers[r] = {static_cast<int32_t>(saved_at_[r] - cfa), 0, RuleKind::kAtCfa, 0};
  }
  return rule;
}

}  // namespace walkabout::walker
