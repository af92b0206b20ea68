// The registers of the machine the walker is built for, under one vocabulary: Reg, Registers, kRegCount, and
// what the call frame information of that machine needs to know of them.
#pragma once

#if defined(__aarch64__)
#include "unwind/machine/registers_arm64.h"

namespace walkabout::unwind {
using arm64::kRegCount;
using arm64::kReturnColumn;
using arm64::kReturnInRegister;
using arm64::kSavedRegisters;
using arm64::kSignsReturnAddresses;
using arm64::kStackRegister;
using arm64::Reg;
using arm64::Registers;
using arm64::return_address;
}  // namespace walkabout::unwind
#else
#include "unwind/machine/registers_x64.h"
#endif
