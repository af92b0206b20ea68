#include "unwind/machine/signal_frame_arm64.h"

namespace walkabout::unwind::arm64 {

bool step_signal_frame(Registers& regs, const Memory& memory) {
  static_assert(kSp == 31 && kPc == 32, "in the context's order");
  Registers interrupted;
  for (uint64_t i = 0; i < kRegCount; ++i) {
    if (!memory.load64(regs.sp() + kSignalRegisters + i * 8, &interrupted.r[i])) return false;
  }
  regs = interrupted;
  return true;
}

}  // namespace walkabout::unwind::arm64
