// A code address out of what an AArch64 register or stack slot holds. Functions built with pointer
// authentication sign the return address they save: the signature takes the bits above the address. Pure,
// async-signal-safe. Source: Arm Architecture Reference Manual, "Pointer authentication"; Linux,
// Documentation/arm64/ pointer-authentication.rst (user addresses have 48 bits at most, and bit 55 tells user
// from kernel; 52-bit ones are given only to programs that ask for them).
#pragma once

#include <cstdint>

namespace walkabout::unwind::arm64 {

inline constexpr unsigned kUserAddressBits = 48;
inline constexpr uint64_t kSignatureBits = ~uint64_t{0} << kUserAddressBits;
inline constexpr uint64_t kKernelBit = uint64_t{1} << 55;

// What the instruction XPACI gives.
constexpr uint64_t return_address(uint64_t value) {
  return (value & kKernelBit) != 0 ? value | kSignatureBits : value & ~kSignatureBits;
}

}  // namespace walkabout::unwind::arm64
