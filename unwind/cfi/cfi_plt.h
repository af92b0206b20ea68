// The stack at each instruction of a PLT stub, read off its code: LLD writes no .eh_frame for them
// (libcoreclr's).
//
// Pure, async-signal-safe. Source: System V AMD64 ABI, section 5.2 and 13.2 (the IBT form); the forms are
// those GNU ld and LLD write.
#pragma once

#include <cstdint>

#include "unwind/cfi/cfi_section.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

inline constexpr uint64_t kPltSlotSize = 16;

// CFA = rsp + before, from byte `change` of the slot on rsp + after.
struct PltSlot {
  uint8_t before = 0;
  uint8_t after = 0;
  uint8_t change = 0;
};

// Whether the kPltSlotSize bytes at `code` are a PLT stub (or the head of the PLT).
bool read_plt_slot(const uint8_t* code, PltSlot* slot);

// The rule for pc if it lies in a PLT stub of the section's code, or in its initializer (cfi_init.h). For
// where no FDE gives one.
bool plt_rule(const CfiSection& section, uint64_t pc, CfiRule* rule);

}  // namespace walkabout::unwind
