// The integer registers of one x86-64 frame, by DWARF number (System V AMD64 ABI, figure 3.36), so that CFI
// rules index them directly. Plain value, async-signal-safe. The PE numbering (rax rcx rdx rbx rsp rbp rsi
// rdi r8…) differs: see pe_unwind.cc.
#pragma once

#include <cstdint>

namespace walkabout::unwind {

enum Reg : uint8_t {
  kRax = 0,
  kRdx = 1,
  kRcx = 2,
  kRbx = 3,
  kRsi = 4,
  kRdi = 5,
  kRbp = 6,
  kRsp = 7,
  kR8 = 8,
  kR9 = 9,
  kR10 = 10,
  kR11 = 11,
  kR12 = 12,
  kR13 = 13,
  kR14 = 14,
  kR15 = 15,
  kRip = 16,  // the return address column
  kRegCount = 17,
};

struct Registers {
  uint64_t r[kRegCount] = {};
  uint64_t& pc() { return r[kRip]; }
  uint64_t& sp() { return r[kRsp]; }
  uint64_t& bp() { return r[kRbp]; }
  uint64_t pc() const { return r[kRip]; }
  uint64_t sp() const { return r[kRsp]; }
  uint64_t bp() const { return r[kRbp]; }
};

inline constexpr Reg kStackRegister = kRsp;
inline constexpr Reg kReturnColumn = kRip;
inline constexpr uint64_t kRedZone =
    128;  // bytes below the stack pointer that a leaf may use (section 3.2.2)
inline constexpr bool kReturnInRegister = false;      // a call leaves the return address on the stack,
inline constexpr bool kSignsReturnAddresses = false;  // as it is
constexpr uint64_t return_address(uint64_t value) { return value; }
// Those a callee must preserve, besides rsp (System V AMD64 ABI, section 3.2.1).
inline constexpr Reg kSavedRegisters[] = {kRbx, kRbp, kR12, kR13, kR14, kR15};

}  // namespace walkabout::unwind
