// Call frame information that is known to be wrong, and what takes its place. Four kinds, recognized by the
// rows themselves, one by its code.
//
// Assembly with two ways out: the directives of the first one count the stack down, and nobody says that the
// code behind it still has its frame. From there on every row is wrong, until the CFA lies below the stack
// pointer, where no frame can be. In libcoreclr the delay-load helpers (.NET 8 to 10; DYNAMICHELPER in
// src/coreclr/vm/amd64/externalmethodfixupthunk.S) and two allocation helpers (.NET 10). The code of a way
// out says by itself where the return address is: it is read from the interrupted instruction to the ret or
// jmp.
//
// __builtin_eh_return, which ends libgcc's unwinder: CFA and return address are right, but the registers are
// the landing pad's already, and the address is no return address, so that the row of the byte before it does
// not hold: the thread goes on at the landing pad's first instruction (GCC, ix86_expand_epilogue: by rcx).
//
// None of this code calls anything: it matters for where a thread was interrupted.
//
// libcoreclr's OnHijackTripThread (hijack.h), which is not called but returned to: its rows take for granted
// that a return address lay on the stack before its first push, which only makes room for one. Every CFA is a
// word too high. (.NET 8 to 10; src/coreclr/vm/amd64/unixasmhelpers.S.) This one calls the runtime.
//
// libcoreclr's ResolveWorkerChainLookupAsmStub, which a resolve stub jumps to with two words of its own above
// the return address: its one row takes none for granted. The words go one by one, and one way out pushes
// another.
// (.NET 8 to 10; src/coreclr/vm/amd64/virtualcallstubamd64.S.)
//
// Pure, async-signal-safe.
#pragma once

#include <cstdint>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_section.h"
#include "unwind/rule/cfi_reader.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

enum class CfiFault : uint8_t { kNone, kLosesStack, kEhReturn, kReturnedTo, kChainLookup };

// Looks for what is wrong with the rows of one FDE, while somebody reads them from the first on. Assembly is
// short: of longer functions than kLargestFixedUp nothing is found wrong.
inline constexpr uint64_t kLargestFixedUp = 4096;
class CfiFaultSearch {
 public:
  CfiFaultSearch(const CfiSection& section, const Fde& fde)
      : section_(section), fde_(fde), ended_(fde.end - fde.begin > kLargestFixedUp) {}

  // After each next() of the rows. What is wrong, as soon as a row shows it; each row before it looks right.
  CfiFault look(const CfiRows& rows) { return ended_ ? CfiFault::kNone : look_at(rows); }

 private:
  CfiFault look_at(const CfiRows& rows);

  const CfiSection& section_;
  const Fde& fde_;
  bool ended_;
  uint64_t row_ = 0;
  uint64_t pushes_ = 0;
};

// The same at once. rows is started anew.
CfiFault find_fault(const CfiSection& section, CfiRows& rows, const Fde& fde);

// Fixes up the rows of one faulty FDE, which are shown in order.
class CfiFixer {
 public:
  CfiFixer(const CfiSection& section, const Fde& fde, CfiFault fault)
      : section_(section), fde_(fde), fault_(fault) {}

  // Before any rule_at() of this row.
  void enter_row(const CfiRule& row);
  // The rule for pc, which lies in the row that was entered last.
  CfiRule rule_at(uint64_t pc) const;

 private:
  const CfiSection& section_;
  const Fde& fde_;
  const CfiFault fault_;
  CfiRule row_;
  bool returning_ = false;  // between eh_return's change of the stack and its jump
};

// The rule where code is a way out of its function [begin, end): [loads from the frame and moves of
// arguments] [lea rsp] [add rsp] pop* (ret | jmp out of the function). False where it is not. No more than
// kLongestWayOut bytes of code are looked at.
inline constexpr uint64_t kLongestWayOut = 128;
bool way_out_rule(const MappedBytes& code, uint64_t begin, uint64_t end, CfiRule* rule);

}  // namespace walkabout::unwind
