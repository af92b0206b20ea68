#include "walker/hijack.h"

#include <cstddef>

#include "walker/stub_step.h"

namespace walkabout::walker {
namespace {

constexpr size_t kWordsAtOnce = 64;  // the handler's stack is small

}  // namespace

uint64_t find_hijacked(uint64_t thread, uint64_t slot, const CodeMap& code, const WalkMemo* memo,
                       const Memory& memory) {
  if (thread == 0 || thread % 8 != 0 || thread > UINT64_MAX - kThreadObjectBytes) return 0;
  uint64_t words[1 + kWordsAtOnce] = {};  // the first: the one before them
  for (uint64_t offset = 0; offset < kThreadObjectBytes; offset += kWordsAtOnce * 8) {
    if (!memory.load_bytes(thread + offset, words + 1, kWordsAtOnce * 8)) return 0;
    for (size_t i = 0; i < kWordsAtOnce; ++i) {
      const uint64_t low = words[i], high = words[i + 1];
      if (high == slot && is_return_address(low, code, memo, memory)) return low;
      if (low == slot && is_return_address(high, code, memo, memory)) return high;
    }
    words[0] = words[kWordsAtOnce];
  }
  return 0;
}

}  // namespace walkabout::walker
