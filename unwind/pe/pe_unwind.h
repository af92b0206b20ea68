// Steps over a frame of managed code described by PE x64 UNWIND_INFO: ready-to-run images carry it in their
// exception directory, the JIT writes the same for each method it compiles (with the Unix-only code
// UWOP_SET_FPREG_LARGE).
//
// Pure, no allocation, async-signal-safe. Sources: Microsoft's "x64 exception handling" specification;
// src/coreclr/unwinder/amd64 and src/coreclr/inc/win64unwind.h of the runtime for the Unix additions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"

namespace walkabout::unwind {

// One RUNTIME_FUNCTION: 32-bit offsets from the image (or code heap) base.
struct RuntimeFunction {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t unwind = 0;
};
static_assert(sizeof(RuntimeFunction) == 12);

// The bytes of one UNWIND_INFO: header and codes, nothing behind them.
using UnwindInfo = std::span<const uint8_t>;

inline constexpr size_t kUnwindHeaderSize = 4;
inline constexpr uint8_t kUnwindFlagChained =
    4;  // a RUNTIME_FUNCTION follows the codes: the rest of the prolog

// The length of the UNWIND_INFO that begins at `bytes` (header and codes), 0 when it is not a valid one.
size_t unwind_info_size(std::span<const uint8_t> bytes);

// kMachineFrame: what the processor pushes at an exception lies at sp, and no return address. Managed code
// has none.
enum class UnwindStatus : uint8_t { kOk, kBadInfo, kBadMemory, kMachineFrame };

// Undoes what the prolog had done when it was `offset` bytes in (past the prolog: everything), leaving sp at
// the return address. Does not pop it: chained infos are applied one after the other first.
UnwindStatus undo_prolog(UnwindInfo info, uint64_t offset, Registers& regs, const Memory& memory);

// After kMachineFrame: the registers that were interrupted, pc exact.
UnwindStatus pop_machine_frame(Registers& regs, const Memory& memory);

// Pops the return address into pc.
UnwindStatus pop_return(Registers& regs, const Memory& memory);

}  // namespace walkabout::unwind
