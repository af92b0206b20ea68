#include "unwind/walk/restore_step.h"

#include <span>

namespace walkabout::unwind {
namespace {
constexpr size_t kLongest = 2;  // of the instructions that matter
}  // namespace

Step step_restoring(Registers& regs, const Memory& memory) {
  const std::span<const uint8_t> code = memory.code_at(regs.pc(), kLongest);
  if (code.empty()) return Step::kNoRule;
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

}  // namespace walkabout::unwind
