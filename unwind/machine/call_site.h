// Does an address look like a return address, that is: does a call instruction end right before it?
// Used to verify guesses where no unwind rule exists. Pure, async-signal-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "unwind/machine/memory.h"

namespace walkabout::unwind {

inline constexpr uint32_t kLongestCall = 8;

// Where code is looked up: at pc, or at pc - 1 of a return address, for a call may be its function's last
// instruction.
inline uint64_t lookup_of(uint64_t pc, bool interrupted) { return interrupted ? pc : pc - 1; }

// before: the bytes that end at the address, at least 2, at most kLongestCall of them.
// Source: Intel SDM vol. 2, CALL: E8 rel32, FF /2 with every addressing form, REX prefixes.
inline bool ends_with_call(std::span<const uint8_t> before) {
  const auto at = [&](size_t from_end) { return before[before.size() - from_end]; };
  const size_t n = before.size();
  if (n >= 5 && at(5) == 0xe8) return true;
  const auto modrm_call = [&](size_t size) {  // FF modrm [sib] [disp]: exactly `size` bytes
    if (n < size || at(size) != 0xff) return false;
    const uint8_t modrm = at(size - 1);
    if (((modrm >> 3) & 7) != 2) return false;
    const uint8_t mod = modrm >> 6;
    const uint8_t rm = modrm & 7;
    size_t expected = 2;
    if (mod != 3 && rm == 4) ++expected;
    if (mod == 1) expected += 1;
    if (mod == 2 || (mod == 0 && rm == 5)) expected += 4;
    if (mod == 0 && rm == 4 && size > 2 && (at(size - 2) & 7) == 5) expected += 4;
    return expected == size;
  };
  for (size_t size : {2, 3, 4, 6, 7}) {
    if (modrm_call(size)) return true;
  }
  return false;
}

// The bytes before `address` are read through the guard: a wrong guess may point to code that was unmapped
// meanwhile. Nothing when they cannot be read.
inline std::optional<bool> follows_call(uint64_t address, const Memory& memory) {
  uint8_t before[kLongestCall];
  if (address < kLongestCall || !memory.load_bytes(address - kLongestCall, before, sizeof before)) return {};
  return ends_with_call(before);
}

}  // namespace walkabout::unwind
