#include "unwind/walk/hijack.h"

#include <cstddef>

#include "unwind/machine/call_site.h"
#include "unwind/walk/stub_step.h"
#include "unwind/walk/unreported_method.h"
#include "unwind/walk/walker.h"

namespace walkabout::unwind {
namespace {

constexpr size_t kWordsAtOnce = 64;     // the handler's stack is small
constexpr int kUnreportedSearches = 2;  // a damaged object may be full of the slot's address

// The caller may be a method that was not reported yet. Apart: it takes room on the stack.
[[gnu::noinline]] bool follows_unreported_call(uint64_t address, const CodeMap& code, const Memory& memory) {
  UnreportedMethod method;
  return address != 0 && follows_call(address, memory).value_or(false) &&
         find_unreported(address - 1, *code.jitted, memory, &method);
}

// searches: how many more there may be for code that was not reported.
bool may_be_original(uint64_t address, const CodeMap& code, const WalkMemo* memo, const Memory& memory,
                     int* searches) {
  if (is_return_address(address, code, memo, memory)) return true;
  return (*searches)-- > 0 && follows_unreported_call(address, code, memory);
}

}  // namespace

uint64_t find_hijacked(uint64_t thread, uint64_t slot, const CodeMap& code, const WalkMemo* memo,
                       const Memory& memory) {
  if (thread == 0 || thread % 8 != 0 || thread > UINT64_MAX - kThreadObjectBytes) return 0;
  int searches = kUnreportedSearches;
  uint64_t words[1 + kWordsAtOnce] = {};  // the first: the one before them
  for (uint64_t offset = 0; offset < kThreadObjectBytes; offset += kWordsAtOnce * 8) {
    if (!memory.load_bytes(thread + offset, words + 1, kWordsAtOnce * 8)) return 0;
    for (size_t i = 0; i < kWordsAtOnce; ++i) {
      const uint64_t low = words[i], high = words[i + 1];
      if (high == slot && may_be_original(low, code, memo, memory, &searches)) return low;
      if (low == slot && may_be_original(high, code, memo, memory, &searches)) return high;
    }
    words[0] = words[kWordsAtOnce];
  }
  return 0;
}

}  // namespace walkabout::unwind
