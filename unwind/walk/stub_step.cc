#include "unwind/walk/stub_step.h"

#include "unwind/machine/call_site.h"
#include "unwind/walk/walker.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kGapBytes = 1024;  // looked at between a stack pointer and a frame pointer
constexpr uint64_t kNear = 64 << 20;  // code that belongs together

bool known_code(const CodeMap& code, uint64_t pc) {
  return code.jitted->find(pc) != nullptr || code.images->find(pc) != nullptr;
}

}  // namespace

bool is_return_address(uint64_t address, const CodeMap& code, const WalkMemo* memo, const Memory& memory) {
  if (memo != nullptr && memo->knows_return(address)) return true;
  return address != 0 && known_code(code, address - 1) && follows_call(address, memory).value_or(false);
}

Step step_stub(bool interrupted, const CodeMap& code, const WalkMemo* memo, Registers& regs,
               const Memory& memory) {
  if (interrupted) {
    for (uint64_t i = 0; i < kStubWords; ++i) {
      uint64_t word = 0;
      if (!memory.load64(regs.sp() + i * 8, &word)) return Step::kBadMemory;
      if (!is_return_address(word, code, memo, memory)) continue;
      regs.sp() += i * 8 + 8;
      regs.pc() = word;
      return Step::kStepped;
    }
  }
  uint64_t caller_bp = 0;
  uint64_t word = 0;
  if (regs.bp() < regs.sp() || regs.bp() % 8 != 0) return Step::kNoRule;
  if (!memory.load64(regs.bp(), &caller_bp) || !memory.load64(regs.bp() + 8, &word)) return Step::kBadMemory;
  if (!is_return_address(word, code, memo, memory)) return Step::kNoRule;
  regs.sp() = regs.bp() + 16;
  regs.bp() = caller_bp;
  regs.pc() = word;
  return Step::kStepped;
}

bool may_hold_return_address(uint64_t lo, uint64_t hi, uint64_t pc, const CodeMap& code,
                             const Memory& memory) {
  if (hi - lo > kGapBytes) return true;
  for (uint64_t at = lo; at < hi; at += 8) {
    uint64_t word = 0;
    if (!memory.load64(at, &word) || known_code(code, word)) return true;
    if (word - (pc - kNear) < 2 * kNear && follows_call(word, memory).value_or(false)) return true;
  }
  return false;
}

bool no_return_address(uint64_t word, const CodeMap& code, const WalkMemo* memo, const Memory& memory) {
  if (memo != nullptr && memo->knows_return(word)) return false;
  return !known_code(code, word - 1) && !follows_call(word, memory).value_or(false);
}

}  // namespace walkabout::unwind
