// One step out of code without any unwind rule: precode, call counting and dispatch stubs, write barrier
// copies, import thunks of ready-to-run images. They are leaves that keep at most a few words above their
// return address, so the candidates are the first stack words, and one counts only if a call instruction in
// known code ends right before it. Async-signal-safe.
#pragma once

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/managed/managed_step.h"

namespace walkabout::unwind {

struct CodeMap;
class WalkMemo;

inline constexpr int kStubWords = 4;  // the resolve stub pushes one word, a delay-load thunk two

// interrupted: as in managed_step.h. memo: may be null; a return address it knows needs no proof. A stub that
// is not the leaf is left by its frame pointer, verified in the same way.
Step step_stub(bool interrupted, const CodeMap& code, const WalkMemo* memo, Registers& regs,
               const Memory& memory);

// Does the stack from `lo` to `hi` hold a word that could be a return address? Then a frame pointer that led
// from the one to the other may have passed over callers that have none. Any address in known code counts
// (the runtime may have replaced a return address with one of its own), and what follows a call near `pc`,
// which is in code nobody knows. True where there is too much to look at.
bool may_hold_return_address(uint64_t lo, uint64_t hi, uint64_t pc, const CodeMap& code,
                             const Memory& memory);

// Does a call instruction in known code end right before it?
bool is_return_address(uint64_t address, const CodeMap& code, const WalkMemo* memo, const Memory& memory);

// Known code needs no call before it: a signal handler returns to the kernel's trampoline.
bool no_return_address(uint64_t word, const CodeMap& code, const WalkMemo* memo, const Memory& memory);

// The leaf was stepped over to `caller` by its rule; sp was the leaf's. True when the rule says it has no
// frame, but what lies at sp can be no return address: then a stub had pushed words before it jumped there,
// of which the code's own unwind data does not know (the resolve stub's way into libcoreclr's chain lookup).
inline bool pushed_by_stub(uint64_t sp, const Registers& caller, const CodeMap& code, const WalkMemo* memo,
                           const Memory& memory) {
  return caller.sp() == sp + 8 && no_return_address(caller.pc(), code, memo, memory);
}

}  // namespace walkabout::unwind
