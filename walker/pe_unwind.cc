#include "walker/pe_unwind.h"

namespace walkabout::walker {
namespace {

enum Op : uint8_t {
  kPushNonvol = 0,
  kAllocLarge = 1,
  kAllocSmall = 2,
  kSetFpReg = 3,
  kSaveNonvol = 4,
  kSaveNonvolFar = 5,
  kEpilog = 6,  // version 2 only: no effect on the prolog
  kSpare = 7,
  kSaveXmm128 = 8,
  kSaveXmm128Far = 9,
  kPushMachFrame = 10,
  kSetFpRegLarge = 11,
};

// PE register numbers to DWARF's.
constexpr uint8_t kDwarfOf[16] = {kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi,
                                  kR8,  kR9,  kR10, kR11, kR12, kR13, kR14, kR15};

// How many 16-bit slots a code takes with its operands; 0 for a code we do not know.
size_t slots(uint8_t op, uint8_t info) {
  switch (op) {
    case kPushNonvol:
    case kAllocSmall:
    case kSetFpReg:
    case kPushMachFrame: return 1;
    case kSaveNonvol:
    case kSaveXmm128:
    case kEpilog: return 2;
    case kSaveNonvolFar:
    case kSaveXmm128Far:
    case kSpare:
    case kSetFpRegLarge: return 3;
    case kAllocLarge: return info == 0 ? 2 : info == 1 ? 3 : 0;
    default: return 0;
  }
}

struct Code {
  uint8_t offset;  // of the end of the instruction, from the function's begin
  uint8_t op;
  uint8_t info;
  uint64_t operand;  // raw: 16 or 32 bits, unscaled
};

class Codes {
 public:
  explicit Codes(UnwindInfo info) : bytes_(info.subspan(kUnwindHeaderSize, size_t{info[2]} * 2)) {}
  bool done() const { return at_ >= bytes_.size(); }
  // False when a code is unknown or cut off.
  bool next(Code* code) {
    *code = {bytes_[at_], static_cast<uint8_t>(bytes_[at_ + 1] & 15), static_cast<uint8_t>(bytes_[at_ + 1] >> 4), 0};
    const size_t n = slots(code->op, code->info);
    if (n == 0 || bytes_.size() - at_ < n * 2) return false;
    if (n >= 2) code->operand = word(at_ + 2);
    if (n >= 3) code->operand |= uint64_t{word(at_ + 4)} << 16;
    at_ += n * 2;
    return true;
  }

 private:
  uint32_t word(size_t at) const { return bytes_[at] | uint32_t{bytes_[at + 1]} << 8; }
  UnwindInfo bytes_;
  size_t at_ = 0;
};

// Where saved registers are addressed from: the frame register once the prolog has set it, else sp.
bool find_frame(UnwindInfo info, uint64_t offset, const Registers& regs, uint64_t* frame) {
  *frame = regs.sp();
  const uint8_t reg = info[3] & 15;
  if (reg == 0) return true;
  for (Codes codes(info); !codes.done();) {
    Code code;
    if (!codes.next(&code)) return false;
    if (code.offset > offset) continue;
    if (code.op == kSetFpReg) *frame = regs.r[kDwarfOf[reg]] - (info[3] >> 4) * 16u;
    if (code.op == kSetFpRegLarge) *frame = regs.r[kDwarfOf[reg]] - code.operand * 16;
  }
  return true;
}

}  // namespace

size_t unwind_info_size(std::span<const uint8_t> bytes) {
  if (bytes.size() < kUnwindHeaderSize) return 0;
  const uint8_t version = bytes[0] & 7;
  if (version != 1 && version != 2) return 0;
  const size_t size = kUnwindHeaderSize + size_t{bytes[2]} * 2;
  if (bytes.size() < size) return 0;
  for (Codes codes(bytes.first(size)); !codes.done();) {
    Code code;
    if (!codes.next(&code)) return 0;
  }
  return size;
}

UnwindStatus undo_prolog(UnwindInfo info, uint64_t offset, Registers& regs, const Memory& memory) {
  if (info.size() < kUnwindHeaderSize || info.size() < kUnwindHeaderSize + size_t{info[2]} * 2) {
    return UnwindStatus::kBadInfo;
  }
  uint64_t frame = 0;
  if (!find_frame(info, offset, regs, &frame)) return UnwindStatus::kBadInfo;
  for (Codes codes(info); !codes.done();) {
    Code code;
    if (!codes.next(&code)) return UnwindStatus::kBadInfo;
    if (code.offset > offset) continue;
    switch (code.op) {
      case kPushNonvol:
        if (!memory.load64(regs.sp(), &regs.r[kDwarfOf[code.info]])) return UnwindStatus::kBadMemory;
        regs.sp() += 8;
        break;
      case kAllocLarge: regs.sp() += code.info == 0 ? code.operand * 8 : code.operand; break;
      case kAllocSmall: regs.sp() += code.info * 8u + 8; break;
      case kSetFpReg:
      case kSetFpRegLarge: regs.sp() = frame; break;
      case kSaveNonvol:
        if (!memory.load64(frame + code.operand * 8, &regs.r[kDwarfOf[code.info]])) return UnwindStatus::kBadMemory;
        break;
      case kSaveNonvolFar:
        if (!memory.load64(frame + code.operand, &regs.r[kDwarfOf[code.info]])) return UnwindStatus::kBadMemory;
        break;
      case kPushMachFrame: return UnwindStatus::kBadInfo;  // interrupt frames do not exist in managed code
      default: break;                                       // vector registers do not matter to a walk
    }
  }
  return UnwindStatus::kOk;
}

UnwindStatus pop_return(Registers& regs, const Memory& memory) {
  if (!memory.load64(regs.sp(), &regs.pc())) return UnwindStatus::kBadMemory;
  regs.sp() += 8;
  return UnwindStatus::kOk;
}

}  // namespace walkabout::walker
