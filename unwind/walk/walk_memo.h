// What a thread's last walks learned, for its next one. Between two ticks most of a stack stays as it is, and
// code runs in loops: a frame met before is stepped over by its remembered rule, without any search.
//
// A rule depends on the address alone (and on whether it is a return address or where the thread was
// interrupted), so the remembered one is right wherever that address is met again, as long as no code was
// taken out of the map since (the generation). Registers and return addresses are always loaded from the
// stack itself. Used by one thread at a time (its handler); no allocation; async-signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "unwind/code/managed_function.h"
#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/rule/cfi_rule.h"
#include "wire/frame.h"

namespace walkabout::unwind {

// What is remembered of one address.
struct MemoStep {
  uint64_t key = 0;  // the address and what else the rule depends on; see memo_key()
  wire::Frame frame;
  CompactRule rule;
};
static_assert(sizeof(MemoStep) == 32);

// A step as the last walk took it. Its frame, with what rules of this kind need to be applied: all of a
// frame's callers are given by these two registers and by the words on the stack that they lead to.
struct SeenStep {
  uint64_t sp = 0;
  uint64_t bp = 0;
  MemoStep step;
};
static_assert(sizeof(SeenStep) == 48);

struct Image;

// A region of code an address was found in: a native image, a function of a ready-to-run one, or a copy of a
// jitted region (jit_map.h).
struct MemoPlace {
  ManagedFunction function;      // of a native image its bounds alone
  const Image* image = nullptr;  // null: jitted
  uint64_t method_start = 0;     // and what else a region has
  const uint8_t* unwind = nullptr;
  uint32_t unwind_size = 0;
  uint32_t code = 0;
};
static_assert(sizeof(MemoPlace) == 72);

// Bits of a key above the address.
inline constexpr uint64_t kMemoInterrupted = uint64_t{1} << 63;
inline constexpr uint64_t kMemoJitCompiler = uint64_t{1}
                                             << 62;  // the code belongs to the JIT compiler's library
inline constexpr uint64_t kMemoAddress = kMemoJitCompiler - 1;
inline constexpr uint64_t kMemoIdentity = ~kMemoJitCompiler;

inline uint64_t memo_key(uint64_t pc, bool interrupted) { return pc | (interrupted ? kMemoInterrupted : 0); }

inline constexpr size_t kMemoAlignment = 4096;

// Made by map_memo() alone. Its fields lie as the walk uses them: a page for what every walk touches.
class WalkMemo {  // NOLINT(clang-analyzer-optin.performance.Padding)
 public:
  // Forgets everything when the generation is another one than last time.
  void begin(uint32_t generation);
  // All frames from this one to the thread's entry, root end first, if they are what the last walk saw: the
  // same registers here, and every return address and frame pointer on the stack as it was. Else empty. No
  // frame waits for the one before it, so that an unchanged stack costs a few nanoseconds a frame.
  std::span<const SeenStep> unchanged_rest(const Registers& regs, const Memory& memory);
  // The step out of this frame, if it is remembered. Valid until the next call of find() or keep().
  const MemoStep* find(const Registers& regs, bool interrupted);
  // A step that was not; regs as before it.
  void keep(const Registers& regs, const MemoStep& step);
  // Where this address is, if a walk looked it or a neighbour up before.
  const MemoPlace* find_place(uint64_t pc) const {
    const MemoPlace& known = places_[neighbourhood(pc)];
    return pc - known.function.begin < known.function.end - known.function.begin ? &known : nullptr;
  }
  void keep_place(uint64_t pc, const MemoPlace& place) { places_[neighbourhood(pc)] = place; }
  // Was this address met as a return address?
  bool knows_return(uint64_t pc) const {
    return is_address(pc) && (is(recent_[recent_place(pc)], pc) || is(cache_[place(pc)], pc));
  }
  void end();

 private:
  static constexpr uint32_t kSteps = 512;    // of the last walk, root end first
  static constexpr uint32_t kFresh = 256;    // steps of this walk before it joins the last one
  static constexpr uint32_t kRecent = 128;   // steps by address, whatever stack they were on: a page of them
  static constexpr uint32_t kCached = 1024;  // and many more
  static constexpr uint32_t kPlaces = 256;
  static constexpr uint32_t kNeighbourBits = 8;  // addresses that share them share a place

  // Garbage may have the bits that keys use, and empty places have key 0.
  static bool is_address(uint64_t pc) { return pc != 0 && pc < kMemoJitCompiler; }
  static uint64_t scatter(uint64_t key) { return (key & kMemoIdentity) * 0x9e3779b97f4a7c15u; }
  static uint32_t recent_place(uint64_t key) { return static_cast<uint32_t>(scatter(key) >> 57); }
  static uint32_t place(uint64_t key) { return static_cast<uint32_t>(scatter(key) >> 54); }
  static uint32_t neighbourhood(uint64_t pc) {
    return static_cast<uint32_t>((pc >> kNeighbourBits) * 0x9e3779b97f4a7c15u >> 56);
  }
  static bool is(const MemoStep& step, uint64_t key) { return (step.key & kMemoIdentity) == key; }
  const MemoStep* find_by_address(uint64_t key);
  void find_cursor(uint64_t sp);
  void add_fresh(const Registers& regs, const MemoStep& step);

  // A tick finds the TLB as cold as the caches, so what one walk uses lies on few pages: the fresh steps grow
  // down towards the header, the last walk's grow up from it.
  SeenStep fresh_[kFresh];  // the first is the last of them
  uint32_t generation_ = 0;
  uint32_t count_ = 0;    // of steps_
  uint32_t cursor_ = 0;   // steps_[cursor_ - 1] is the next that may match
  uint32_t joined_ = 0;   // this walk goes on as the last one: steps_[0, joined_); 0 = not joined
  uint32_t changed_ = 0;  // steps_[changed_] led elsewhere than it did; 0: not known of any
  uint32_t fresh_count_ = 0;
  bool overflow_ = false;
  SeenStep steps_[kSteps];
  alignas(kMemoAlignment) MemoStep recent_[kRecent];
  MemoStep cache_[kCached];
  MemoPlace places_[kPlaces];
};

struct UnmapMemo {
  void operator()(WalkMemo* memo) const;
};
using MappedMemo = std::unique_ptr<WalkMemo, UnmapMemo>;

// A fresh memo in memory of its own: all-zero memory is one (an implicit-lifetime class), and the pages a
// thread never needs are never touched. Null when there is no memory. Not for signal handlers.
MappedMemo map_memo();

}  // namespace walkabout::unwind
