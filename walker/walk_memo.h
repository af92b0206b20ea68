// What a thread's last walk learned, for its next one. Between two ticks most of a stack stays as it is, and code runs in
// loops: a frame met before is stepped over by its remembered rule, without any search.
//
// A rule depends on the return address alone, so the remembered one is right wherever that address is met again, as long
// as no code was taken out of the map since (the generation). Registers and return addresses are always loaded from the
// stack itself. Used by one thread at a time (its handler); no allocation; async-signal-safe.
#pragma once

#include <cstdint>

#include "walker/cfi_rule.h"
#include "walker/registers_x64.h"
#include "wire/frame.h"

namespace walkabout::walker {

struct MemoStep {
  uint64_t pc = 0;
  wire::Frame frame;
  CompactRule rule;
  uint64_t sp = 0;
  bool jit_compiler = false;
  bool collector = false;
};
static_assert(sizeof(MemoStep) == 48);

// All-zero memory is a fresh memo (an implicit-lifetime class): allocate it with calloc, so that the pages a thread never
// needs are never touched.
class WalkMemo {
 public:
  // Forgets everything when the generation is another one than last time.
  void begin(uint32_t generation);
  // The step out of this (calling) frame, if it is remembered. It is kept.
  const MemoStep* find(const Registers& regs);
  // A step that was not; regs as before it.
  void keep(const Registers& regs, wire::Frame frame, const CompactRule& rule, bool jit_compiler, bool collector);
  void end();

 private:
  static constexpr uint32_t kSteps = 512;    // of the last walk, root end first
  static constexpr uint32_t kFresh = 256;    // steps of this walk before it joins the last one
  static constexpr uint32_t kCached = 256;   // steps by return address, whatever stack they were on

  void add_fresh(const MemoStep& step);
  static uint32_t place(uint64_t pc) { return static_cast<uint32_t>((pc * 0x9e3779b97f4a7c15u) >> 56); }

  uint32_t generation_ = 0;
  uint32_t count_ = 0;   // of steps_
  uint32_t cursor_ = 0;  // steps_[cursor_ - 1] is the next that may match
  uint32_t joined_ = 0;  // this walk goes on as the last one: steps_[0, joined_); 0 = not joined
  uint32_t fresh_count_ = 0;
  bool overflow_ = false;
  MemoStep steps_[kSteps];
  MemoStep fresh_[kFresh];
  MemoStep cache_[kCached];
};

}  // namespace walkabout::walker
