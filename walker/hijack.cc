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
  // The last two words of what was read before stay in front: a pair may lie across.
  uint64_t words[2 + kWordsAtOnce] = {};
  for (uint64_t offset = 0; offset < kThreadObjectBytes; offset += kWordsAtOnce * 8) {
    if (!memory.load_bytes(thread + offset, words + 2, kWordsAtOnce * 8)) return 0;
    for (size_t i = 1; i + 1 < 2 + kWordsAtOnce; ++i) {
      if (words[i] != slot) continue;
      for (const uint64_t beside : {words[i - 1], words[i + 1]}) {
        if (is_return_address(beside, code, memo, memory)) return beside;
      }
    }
    words[0] = words[kWordsAtOnce];
    words[1] = words[kWordsAtOnce + 1];
  }
  return 0;
}

}  // namespace walkabout::walker
