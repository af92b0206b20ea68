#include "walker/walk_memo.h"

#include <algorithm>

namespace walkabout::walker {

void WalkMemo::begin(uint32_t generation) {
  if (generation != generation_) {
    generation_ = generation;
    count_ = 0;
    std::fill(std::begin(cache_), std::end(cache_), MemoStep());
  }
  cursor_ = count_;
  joined_ = 0;
  fresh_count_ = 0;
  overflow_ = false;
}

const MemoStep* WalkMemo::find(const Registers& regs) {
  while (cursor_ > 0 && steps_[cursor_ - 1].sp < regs.sp()) --cursor_;
  if (cursor_ > 0 && steps_[cursor_ - 1].sp == regs.sp() && steps_[cursor_ - 1].pc == regs.pc()) {
    if (joined_ == 0) joined_ = cursor_;
    return &steps_[--cursor_];
  }
  const MemoStep& cached = cache_[place(regs.pc())];
  if (cached.pc != regs.pc() || regs.pc() == 0) return nullptr;
  MemoStep step = cached;
  step.sp = regs.sp();
  add_fresh(step);
  return &cached;
}

void WalkMemo::keep(const Registers& regs, wire::Frame frame, const CompactRule& rule, bool jit_compiler, bool collector) {
  const MemoStep step{regs.pc(), frame, rule, regs.sp(), jit_compiler, collector};
  cache_[place(step.pc)] = step;
  add_fresh(step);
}

// The walk had joined the last one and left it again: what they shared is fresh after all.
void WalkMemo::add_fresh(const MemoStep& step) {
  for (; joined_ > cursor_ && !overflow_; --joined_) {
    if (fresh_count_ == kFresh) overflow_ = true;
    else fresh_[fresh_count_++] = steps_[joined_ - 1];
  }
  joined_ = 0;
  if (fresh_count_ == kFresh) overflow_ = true;
  else if (!overflow_) fresh_[fresh_count_++] = step;
}

void WalkMemo::end() {
  if (overflow_ || joined_ + fresh_count_ > kSteps) {
    count_ = 0;
    return;
  }
  std::reverse_copy(fresh_, fresh_ + fresh_count_, steps_ + joined_);
  count_ = joined_ + fresh_count_;
}

}  // namespace walkabout::walker
