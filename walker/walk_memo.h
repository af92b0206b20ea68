// What a thread's last walks learned, for its next one. Between two ticks most of a stack stays as it is, and
// code runs in loops: a frame met before is stepped over by its remembered rule, without any search.
//
// A rule depends on the address alone (and on whether it is a return address or where the thread was
// interrupted), so the remembered one is right wherever that address is met again, as long as no code was
// taken out of the map since (the generation). Registers and return addresses are always loaded from the
// stack itself. The steps of the last walk lie in order, so that one look ahead fetches them, and the stack
// words they will read, before they are needed: a tick finds the caches cold. Used by one thread at a time
// (its handler); no allocation; async-signal-safe.
#pragma once

#include <cstdint>

#include "walker/cfi_rule.h"
#include "walker/registers_x64.h"
#include "wire/frame.h"

namespace walkabout::walker {

// What is remembered of one address.
struct MemoStep {
  uint64_t key = 0;  // the address and what else the rule depends on; see memo_key()
  wire::Frame frame;
  CompactRule rule;
};
static_assert(sizeof(MemoStep) == 32);

struct Image;

// A piece of code an address was found in: a native image, a function of a ready-to-run one, or a copy of a
// jitted piece (jit_map.h). Covers [begin, end).
struct MemoPlace {
  uint64_t begin = 0;
  uint64_t end = 0;
  const Image* image = nullptr;  // null: jitted
  uint64_t body = 0;
  const uint8_t* unwind = nullptr;
  uint32_t unwind_size = 0;
  uint32_t code = 0;
  CompactRule rule;    // managed code: holds behind the prolog, but for epilogs
  uint8_t prolog = 0;  // bytes
  bool plain = false;  // there is such a rule
};
static_assert(sizeof(MemoPlace) == 72);

// Bits of a key above the address.
inline constexpr uint64_t kMemoInterrupted = uint64_t{1} << 63;
inline constexpr uint64_t kMemoJitCompiler = uint64_t{1}
                                             << 62;  // the code belongs to the JIT compiler's library
inline constexpr uint64_t kMemoCollector = uint64_t{1} << 61;  // … to the stand-alone GC
inline constexpr uint64_t kMemoIdentity = ~(kMemoJitCompiler | kMemoCollector);

inline uint64_t memo_key(uint64_t pc, bool interrupted) { return pc | (interrupted ? kMemoInterrupted : 0); }

// All-zero memory is a fresh memo (an implicit-lifetime class): allocate it with calloc, so that the pages a
// thread never needs are never touched.
class WalkMemo {
 public:
  // Fetches what a walk from here will probably read. May be called long before begin(), so that the memory
  // has time to arrive: between two ticks the program has the caches for itself.
  void look_ahead(const Registers& leaf) const;
  // Forgets everything when the generation is another one than last time.
  void begin(uint32_t generation);
  // The step out of this frame, if it is remembered. Valid until the next call of find() or keep().
  const MemoStep* find(const Registers& regs, bool interrupted);
  // A step that was not; regs as before it.
  void keep(const Registers& regs, const MemoStep& step);
  // Where this address is, if a walk looked it or a neighbour up before.
  const MemoPlace* find_place(uint64_t pc) const {
    const MemoPlace& known = places_[neighbourhood(pc)];
    return pc - known.begin < known.end - known.begin ? &known : nullptr;
  }
  void keep_place(uint64_t pc, const MemoPlace& place) { places_[neighbourhood(pc)] = place; }
  // Was this address met as a return address?
  bool knows_return(uint64_t pc) const {
    return is_address(pc) && (cache_[place(pc)].key & kMemoIdentity) == pc;
  }
  void end();

 private:
  static constexpr uint32_t kSteps = 512;    // of the last walk, root end first
  static constexpr uint32_t kFresh = 256;    // steps of this walk before it joins the last one
  static constexpr uint32_t kCached = 1024;  // steps by address, whatever stack they were on
  static constexpr uint32_t kPlaces = 256;
  static constexpr uint32_t kNeighbourBits = 8;  // addresses that share them share a place
  static constexpr uint32_t kAhead = 96;         // steps fetched before the walk begins

  // Garbage may have the bits that keys use, and empty places have key 0.
  static bool is_address(uint64_t pc) { return pc != 0 && pc < kMemoCollector; }
  void add_fresh(uint64_t sp, const MemoStep& step);
  static uint32_t place(uint64_t key) {
    return static_cast<uint32_t>(((key & kMemoIdentity) * 0x9e3779b97f4a7c15u) >> 54);
  }

  static uint32_t neighbourhood(uint64_t pc) {
    return static_cast<uint32_t>((pc >> kNeighbourBits) * 0x9e3779b97f4a7c15u >> 56);
  }

  uint32_t generation_ = 0;
  uint32_t count_ = 0;   // of steps_
  uint32_t cursor_ = 0;  // steps_[cursor_ - 1] is the next that may match
  uint32_t joined_ = 0;  // this walk goes on as the last one: steps_[0, joined_); 0 = not joined
  uint32_t fresh_count_ = 0;
  bool overflow_ = false;
  uint64_t sp_[kSteps];
  MemoStep steps_[kSteps];
  uint64_t fresh_sp_[kFresh];
  MemoStep fresh_[kFresh];
  MemoStep cache_[kCached];
  MemoPlace places_[kPlaces];
};

}  // namespace walkabout::walker
