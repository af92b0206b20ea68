#include "walker/walk_memo.h"

#include <algorithm>

namespace walkabout::walker {
namespace {

constexpr uint64_t kLine = 64;
constexpr uint64_t kLeafLines = 4;  // of the stack from the stack pointer up

void fetch(uint64_t address) { __builtin_prefetch(reinterpret_cast<const void*>(address)); }

}  // namespace

void WalkMemo::begin(uint32_t generation) {
  if (generation != generation_) {
    generation_ = generation;
    count_ = 0;
    for (MemoStep& step : cache_) step.key = 0;
    for (MemoPlace& place : places_) place.begin = place.end = 0;
  }
  cursor_ = count_;
  joined_ = 0;
  fresh_count_ = 0;
  overflow_ = false;
}

// The return address of a frame, and the registers it saved, lie right below the stack pointer of its caller.
void WalkMemo::look_ahead(const Registers& leaf) const {
  fetch(reinterpret_cast<uint64_t>(&cache_[place(memo_key(leaf.pc(), true))]));
  const MemoPlace* place_of_leaf = &places_[neighbourhood(leaf.pc())];
  fetch(reinterpret_cast<uint64_t>(place_of_leaf));
  fetch(reinterpret_cast<uint64_t>(place_of_leaf + 1) - 1);
  for (uint64_t i = 0; i < kLeafLines; ++i) fetch(leaf.sp() + i * kLine);
  const uint32_t n = std::min(count_, kAhead);
  for (uint32_t i = 0; i < n; i += 2) fetch(reinterpret_cast<uint64_t>(&steps_[count_ - 1 - i]));
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t sp = sp_[count_ - 1 - i];
    fetch(sp - 8);
    if (sp % kLine < 56) fetch(sp - kLine);
  }
}

const MemoStep* WalkMemo::find(const Registers& regs, bool interrupted) {
  if (!is_address(regs.pc())) return nullptr;
  const uint64_t key = memo_key(regs.pc(), interrupted);
  if (!interrupted) {
    while (cursor_ > 0 && sp_[cursor_ - 1] < regs.sp()) --cursor_;
    if (cursor_ > 0 && sp_[cursor_ - 1] == regs.sp() && (steps_[cursor_ - 1].key & kMemoIdentity) == key) {
      if (joined_ == 0) joined_ = cursor_;
      return &steps_[--cursor_];
    }
  }
  const MemoStep& cached = cache_[place(key)];
  if ((cached.key & kMemoIdentity) != key) return nullptr;
  if (!interrupted) add_fresh(regs.sp(), cached);
  return &cached;
}

void WalkMemo::keep(const Registers& regs, const MemoStep& step) {
  cache_[place(step.key)] = step;
  if ((step.key & kMemoInterrupted) == 0) add_fresh(regs.sp(), step);
}

// When the walk had joined the last one and left it again, what they shared is fresh after all.
void WalkMemo::add_fresh(uint64_t sp, const MemoStep& step) {
  const auto add = [this](uint64_t at, const MemoStep& s) {
    if (fresh_count_ == kFresh) {
      overflow_ = true;
      return;
    }
    fresh_sp_[fresh_count_] = at;
    fresh_[fresh_count_++] = s;
  };
  for (; joined_ > cursor_ && !overflow_; --joined_) add(sp_[joined_ - 1], steps_[joined_ - 1]);
  joined_ = 0;
  add(sp, step);
}

void WalkMemo::end() {
  if (overflow_ || joined_ + fresh_count_ > kSteps) {
    count_ = 0;
    return;
  }
  std::reverse_copy(fresh_, fresh_ + fresh_count_, steps_ + joined_);
  std::reverse_copy(fresh_sp_, fresh_sp_ + fresh_count_, sp_ + joined_);
  count_ = joined_ + fresh_count_;
}

}  // namespace walkabout::walker
