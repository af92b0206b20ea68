// Reading the codes of an UNWIND_INFO one by one. Async-signal-safe. Source: see pe_unwind.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind/machine/registers_x64.h"
#include "unwind/pe/pe_unwind.h"

namespace walkabout::unwind::pe {

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
inline constexpr uint8_t kDwarfOf[16] = {kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi,
                                         kR8,  kR9,  kR10, kR11, kR12, kR13, kR14, kR15};

// How many 16-bit slots a code takes with its operands; 0 for a code we do not know.
inline size_t slots(uint8_t op, uint8_t info) {
  switch (op) {
    case kPushNonvol:
    case kAllocSmall:
    case kSetFpReg:
    case kPushMachFrame:
      return 1;
    case kSaveNonvol:
    case kSaveXmm128:
    case kEpilog:
      return 2;
    case kSaveNonvolFar:
    case kSaveXmm128Far:
    case kSpare:
    case kSetFpRegLarge:
      return 3;
    case kAllocLarge:
      return info == 0 ? 2 : info == 1 ? 3 : 0;
    default:
      return 0;
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
    *code = {bytes_[at_], static_cast<uint8_t>(bytes_[at_ + 1] & 15),
             static_cast<uint8_t>(bytes_[at_ + 1] >> 4), 0};
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

}  // namespace walkabout::unwind::pe
