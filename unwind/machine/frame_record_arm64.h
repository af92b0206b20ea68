// Steps by the frame records of AArch64: x29 points to a pair on the stack, the caller's x29 and the return
// address. For code without call frame information that keeps the chain, as jitted code does.
//
// Pure, no allocation, async-signal-safe. regs is changed only when a step succeeds. Source: AAPCS64,
// section 6.4.6 "The Frame Pointer": the last record has a caller's x29 of 0; Arm Architecture Reference
// Manual for the encodings.
#pragma once

#include <cstdint>
#include <span>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_arm64.h"

namespace walkabout::unwind::arm64 {

enum class RecordStep : uint8_t {
  kStepped,
  kRoot,       // the chain's end: the thread's entry
  kNoRecord,   // x29 or lr is none: not aligned, below the stack pointer, no address
  kBadMemory,  // the record cannot be read
};

// Out of a frame whose record is set up. A record says nothing of other registers, nor where the caller's
// frame begins: sp becomes the record's end, which may be below it.
RecordStep step_by_record(Registers& regs, const Memory& memory);

// Out of a function that was interrupted while lr held its return address: before it saved it, after it
// restored it, or in a leaf, which never saves it.
RecordStep step_by_link(Registers& regs);

// How far an interrupted function has set up its record.
struct RecordState {
  enum Kind : uint8_t {
    kLink,     // lr holds the return address, x29 is the caller's
    kPair,     // the pair is saved at sp + offset, x29 is still the caller's
    kRecord,   // x29 points to the pair
    kUnknown,  // it has called without having saved lr: no function of this calling convention
  };
  Kind kind = kLink;
  uint64_t offset = 0;
};
// Read off its instructions. code: from its first one up to pc, which has not run.
RecordState record_state(std::span<const uint32_t> code);

RecordStep step_interrupted(const RecordState& state, Registers& regs, const Memory& memory);

}  // namespace walkabout::unwind::arm64
