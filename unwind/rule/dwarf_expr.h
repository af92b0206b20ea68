// Evaluates a DWARF expression of call frame information over the registers and memory of one frame.
//
// A stack machine with fixed bounds: no allocation, ends after kMaxExprSteps operations, about 600 bytes of
// stack; async-signal-safe. The bytes are not trusted; whatever goes wrong is a value. Source: DWARF 5,
// section 2.5 "DWARF Expressions", with the operations 6.4.2 forbids in CFI left out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers.h"

namespace walkabout::unwind {

// Compilers use up to 4 stack entries and some 10 operations.
inline constexpr size_t kMaxExprStack = 64;
inline constexpr int kMaxExprSteps = 1000;

enum class ExprStatus : uint8_t {
  kOk,
  kMalformed,    // ends in the middle, jumps outside, divides by zero, uses a register we do not have
  kUnsupported,  // an operation that has no meaning here
  kStack,        // too much or nothing on the stack
  kTooLong,      // kMaxExprSteps
  kMemory,       // reads memory that cannot be read
};

struct DwarfExpr {
  const uint8_t* bytes = nullptr;
  size_t size = 0;
};

// initial: put on the stack first (a register's rule begins with the CFA); null for none. *result is set if
// kOk.
ExprStatus evaluate(const DwarfExpr& expr, const Registers& regs, const Memory& memory,
                    const uint64_t* initial, uint64_t* result);

}  // namespace walkabout::unwind
