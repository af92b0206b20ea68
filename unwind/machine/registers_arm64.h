// The integer registers of one AArch64 frame, by DWARF number, so that CFI rules index them directly. Plain
// value, async-signal-safe. Source: DWARF for the Arm 64-bit Architecture, section 4.1; AAPCS64,
// section 6.1.1 (which registers a callee saves).
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind/machine/return_address_arm64.h"

namespace walkabout::unwind::arm64 {

enum Reg : uint8_t {
  kX0 = 0,
  kX1 = 1,
  kX8 = 8,
  kX16 = 16,
  kX17 = 17,
  kX18 = 18,
  kX19 = 19,
  kX20 = 20,
  kX21 = 21,
  kX22 = 22,
  kX23 = 23,
  kX24 = 24,
  kX25 = 25,
  kX26 = 26,
  kX27 = 27,
  kX28 = 28,
  kFp = 29,
  kLr = 30,  // the return address column
  kSp = 31,
  kPc = 32,
  kRegCount = 33,
};

struct Registers {
  uint64_t r[kRegCount] = {};
  uint64_t& pc() { return r[kPc]; }
  uint64_t& sp() { return r[kSp]; }
  uint64_t& bp() { return r[kFp]; }
  uint64_t& lr() { return r[kLr]; }
  uint64_t pc() const { return r[kPc]; }
  uint64_t sp() const { return r[kSp]; }
  uint64_t bp() const { return r[kFp]; }
  uint64_t lr() const { return r[kLr]; }
};

inline constexpr Reg kStackRegister = kSp;
inline constexpr Reg kReturnColumn = kLr;
// A call leaves the return address in lr. A function that has not saved it says nothing of it: it is as it
// was.
inline constexpr bool kReturnInRegister = true;
// Return addresses on the stack may be signed; DW_CFA_AARCH64_negate_ra_state says where.
inline constexpr bool kSignsReturnAddresses = true;
// Those a compact rule has slots for, which a table of x86-64 rules needs (cfi_rule.cc, not built here): a
// table for this machine needs a form with twelve. The rules themselves are in full.
inline constexpr Reg kSavedRegisters[] = {kX19, kX20, kX21, kX22, kFp, kLr};

}  // namespace walkabout::unwind::arm64
