#include "agent/windows/hijacked_return.h"

#include <array>

#include "agent/windows/self_memory.h"
#include "unwind/managed/pe_hijack.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kThreadObjectBytes = 4096;  // all of it, in every version so far

// Regions of the object overlap by a word: two words that belong together lie side by side. Its stack is not
// there during the walk.
__attribute__((noinline)) uint64_t original_of(uint64_t slot, clr::ThreadID clr,
                                               const unwind::PeCodeMap& code) {
  std::array<uint64_t, 64> words;
  constexpr uint64_t kBytes = sizeof words;
  for (uint64_t at = 0; at + kBytes <= kThreadObjectBytes; at += kBytes - 8) {
    if (!read_self(nullptr, clr + at, words.data(), kBytes)) return 0;
    if (const uint64_t original = unwind::taken_from_slot(slot, words, code); original != 0) return original;
  }
  return 0;
}

}  // namespace

HijackedReturn hijacked_return(const unwind::Registers& topmost, bool interrupted, clr::ThreadID clr,
                               const unwind::Memory& memory, const unwind::PeCodeMap& code) {
  HijackedReturn taken;
  const uint64_t slot = clr == 0 ? 0 : unwind::hijacked_slot(topmost, interrupted, memory, code);
  if (slot != 0) taken.original = original_of(slot, clr, code);
  if (taken.original != 0) taken.slot = slot;
  return taken;
}

}  // namespace walkabout::agent
