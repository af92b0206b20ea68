#include "unwind/managed/pe_hijack.h"

namespace walkabout::unwind {
namespace {

bool is_begin_of_native_function(uint64_t pc, const PeCodeMap& code) {
  const Image* image = code.images->find(pc);
  if (image == nullptr || image->managed) return false;
  const auto rva = static_cast<uint32_t>(pc - image->base);
  const RuntimeFunction* function = find_function(image->functions, rva);
  return function != nullptr && function->begin == rva;
}

bool is_code(uint64_t return_address, const PeCodeMap& code) {
  return code.images->find(return_address - 1) != nullptr || code.jitted->find(return_address - 1) != nullptr;
}

}  // namespace

uint64_t hijacked_slot(const Registers& frame, bool interrupted, const Memory& memory,
                       const PeCodeMap& code) {
  PeWalk walk(frame, interrupted, memory, code);
  if (!walk.step() || !is_begin_of_native_function(walk.registers().pc(), code)) return 0;
  return walk.registers().sp() - 8;
}

uint64_t taken_from_slot(uint64_t slot, std::span<const uint64_t> thread, const PeCodeMap& code) {
  for (size_t i = 1; i < thread.size(); ++i) {
    const uint64_t low = thread[i - 1], high = thread[i];
    if (high == slot && is_code(low, code)) return low;
    if (low == slot && is_code(high, code)) return high;
  }
  return 0;
}

}  // namespace walkabout::unwind
