#include "walker/restore_step.h"

namespace walkabout::walker {

Step step_restoring(Registers& regs, const Memory& memory) {
  const auto* code = reinterpret_cast<const uint8_t*>(regs.pc());
  if (code[0] == 0xff && code[1] == 0xe0) {  // jmp rax: all is loaded
    regs.pc() = regs.r[kRax];
    return Step::kStepped;
  }
  Registers caller = regs;
  if (code[0] != 0xc3) {  // before ret rbp has been popped
    if (!memory.load64(caller.sp(), &caller.bp())) return Step::kBadMemory;
    caller.sp() += 8;
  }
  if (!memory.load64(caller.sp(), &caller.pc())) return Step::kBadMemory;
  caller.sp() += 8;
  regs = caller;
  return Step::kStepped;
}

}  // namespace walkabout::walker
