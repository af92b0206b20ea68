// Steps out of a signal frame of Linux on AArch64: the kernel leaves the interrupted registers on the stack,
// and the vDSO's call frame information for its trampoline cannot say where the pc is (it has no column in
// DWARF).
//
// Pure, async-signal-safe. Source: Linux, arch/arm64/kernel/signal.c (struct rt_sigframe) and
// arch/arm64/include/uapi/asm/sigcontext.h, ucontext.h: part of the kernel's interface.
#pragma once

#include <cstdint>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_arm64.h"

namespace walkabout::unwind::arm64 {

// From the stack pointer in the trampoline (where the handler returns to): siginfo, then the ucontext's
// registers.
inline constexpr uint64_t kSigInfoSize = 128;
inline constexpr uint64_t kContextRegisters = 184;  // x0 … x30, sp, pc, in the ucontext
inline constexpr uint64_t kSignalRegisters = kSigInfoSize + kContextRegisters;

// All registers become the interrupted ones; pc is exact, not a return address. False when the frame cannot
// be read.
bool step_signal_frame(Registers& regs, const Memory& memory);

// Does the trampoline stand at these two instructions: mov x8, #139 (rt_sigreturn); svc #0?
inline constexpr uint32_t kTrampoline[2] = {0xd2801168, 0xd4000001};

}  // namespace walkabout::unwind::arm64
