// What the stepper must know of the instruction a thread executes next. Pure, async-signal-safe.
// Source: Intel SDM vol. 2, CALL (E8 rel32, FF /2), SYSCALL (0F 05).
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>

namespace walkabout::agent::step {

inline constexpr uint64_t kLongestInstruction = 15;

// code: the bytes at the instruction, as many as can be read, at most kLongestInstruction matter.
inline bool is_call(std::span<const uint8_t> code) {
  size_t at = 0;
  const auto is_prefix = [](uint8_t b) {  // notrack, bnd and segment, operand size, REX
    return b == 0x3e || b == 0xf2 || b == 0x2e || b == 0x66 || (b >= 0x40 && b <= 0x4f);
  };
  while (at < code.size() && is_prefix(code[at])) ++at;
  if (at >= code.size()) return false;
  if (code[at] == 0xe8) return true;
  return code[at] == 0xff && at + 1 < code.size() && (code[at + 1] >> 3 & 7) == 2;
}

inline bool is_return(std::span<const uint8_t> code) {
  if (!code.empty() && (code[0] == 0xc3 || code[0] == 0xc2)) return true;
  return code.size() >= 2 && (code[0] == 0xf3 || code[0] == 0xf2) && code[1] == 0xc3;
}

inline bool is_syscall(std::span<const uint8_t> code) {
  return code.size() >= 2 && code[0] == 0x0f && code[1] == 0x05;
}

// The jump with which the runtime's context restorer goes on elsewhere (`mov rsp, [r10 + 98h]; jmp rax`,
// ClrRestoreNonvolatileContextWorker). before: the bytes that end at the instruction.
inline bool is_context_jump(std::span<const uint8_t> before, std::span<const uint8_t> code) {
  constexpr uint8_t kLoad[] = {0x49, 0x8b, 0xa2, 0x98, 0, 0, 0};
  return code.size() >= 2 && code[0] == 0xff && code[1] == 0xe0 && before.size() >= sizeof kLoad &&
         std::equal(std::begin(kLoad), std::end(kLoad), before.end() - sizeof kLoad);
}

// glibc's longjmp once it has computed where it goes: rsp will be r8, the pc rdx (__longjmp: the saved
// registers by rdi, `mov eax, esi; mov rsp, r8; mov rbp, r9; jmp rdx`). before: the bytes that end at the
// instruction.
inline constexpr size_t kLongJumpBytes = 29;
inline bool is_long_jump(std::span<const uint8_t> before, std::span<const uint8_t> code) {
  constexpr uint8_t kAll[kLongJumpBytes] = {0x48, 0x8b, 0x1f, 0x4c, 0x8b, 0x67, 0x10, 0x4c, 0x8b, 0x6f,
                                            0x18, 0x4c, 0x8b, 0x77, 0x20, 0x4c, 0x8b, 0x7f, 0x28, 0x89,
                                            0xf0, 0x4c, 0x89, 0xc4, 0x4c, 0x89, 0xcd, 0xff, 0xe2};
  for (const size_t done : {0, 3, 7, 11, 15, 19, 21, 24, 27}) {
    const size_t left = std::min(kLongJumpBytes - done, code.size());
    if (left >= 2 && before.size() >= done &&
        std::equal(kAll, kAll + done, before.end() - static_cast<long>(done)) &&
        std::equal(code.begin(), code.begin() + static_cast<long>(left), kAll + done))
      return true;
  }
  return false;
}

// The runtime of .NET 8 throws on behalf of another frame: it loads that frame's stack pointer, then puts the
// frame's pc where a call would have (`mov rsp, [rdi + 98h]; mov rax, [rdi + f8h]; push rax`,
// ThrowExceptionFromContextInternal). True at the second and at the third of these: the frame is the caller.
inline bool is_thrown_for_another(std::span<const uint8_t> before, std::span<const uint8_t> code) {
  constexpr uint8_t kLoadSp[] = {0x48, 0x8b, 0xa7, 0x98, 0, 0, 0},
                    kLoadPc[] = {0x48, 0x8b, 0x87, 0xf8, 0, 0, 0};
  const auto ends_with = [&](std::span<const uint8_t> load) {
    return before.size() >= load.size() &&
           std::equal(load.begin(), load.end(), before.end() - static_cast<long>(load.size()));
  };
  const bool at_load =
      code.size() >= sizeof kLoadPc && std::equal(std::begin(kLoadPc), std::end(kLoadPc), code.begin());
  return (at_load && ends_with(kLoadSp)) || (!code.empty() && code[0] == 0x50 && ends_with(kLoadPc));
}

}  // namespace walkabout::agent::step
