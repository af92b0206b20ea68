// Recognises the epilog of managed code at an interrupted pc and undoes the rest of it.
//
// UNWIND_INFO says nothing about epilogs (version 1): like the system's own unwinder we read the instructions
// from pc on. An epilog is: [add rsp, imm | lea rsp, [frame + disp]] pop* (ret | tail-call jmp), nothing
// else. Pure, async-signal-safe. Source: Microsoft's x64 prolog and epilog rules; what the JIT emits
// (codegenxarch.cpp, genFnEpilog).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"

namespace walkabout::unwind {

inline constexpr size_t kEpilogWindow =
    64;  // bytes of code looked at; the longest epilog the JIT emits is shorter

enum class Epilog : uint8_t { kNot, kUndone, kBadMemory };

// code: the bytes from regs.pc() on, up to the end of the function (at most kEpilogWindow matter).
// function_begin/end: a direct jmp inside them is a loop, not a tail call. On kUndone regs is the caller's
// frame, the return address popped into pc; else regs is unchanged.
Epilog undo_epilog(std::span<const uint8_t> code, uint64_t function_begin, uint64_t function_end,
                   Registers& regs, const Memory& memory);

// False where no epilog can begin with these instruction bytes, which is nearly everywhere.
inline bool may_begin_epilog(std::span<const uint8_t> code) {
  if (code.size() < 2) return true;
  const uint8_t first = code[0], second = code[1];
  switch (first) {
    case 0x41:  // pop r8 … r15
      return second >= 0x58 && second <= 0x5f;
    case 0x48:  // add rsp, lea rsp, jmp r/m
      return second == 0x83 || second == 0x81 || second == 0x8d || second == 0xff;
    case 0x49:
      return second == 0xff;
    case 0xf3:
      return second == 0xc3;
    case 0xff:
      return second == 0x25;
    case 0xc2:
    case 0xc3:
    case 0xe9:
    case 0xeb:
      return true;
    default:
      return first >= 0x58 && first <= 0x5f;  // pop
  }
}

// Only whether it is one.
bool is_epilog(std::span<const uint8_t> code, uint64_t function_begin, uint64_t function_end, uint64_t pc);

}  // namespace walkabout::unwind
