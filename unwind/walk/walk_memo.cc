#include "unwind/walk/walk_memo.h"

#include <sys/mman.h>

#include <algorithm>

#include "base/hot.h"

namespace walkabout::unwind {
namespace {

constexpr size_t kBpSlot = 1;
static_assert(kSavedRegisters[kBpSlot] == kRbp);

WALKABOUT_HOT bool holds(const Memory& memory, uint64_t address, uint64_t word) {
  uint64_t now = 0;
  return memory.load64(address, &now) && now == word;
}

// Does the callee's rule, applied to what is on the stack now, give the caller as it was?
WALKABOUT_HOT bool leads_to(const SeenStep& callee, const SeenStep& caller, const Memory& memory) {
  const CompactRule& rule = callee.step.rule;
  const uint8_t reg = rule.cfa_register();
  if (rule.kind() != CompactRule::Kind::kPlain || (reg != kRsp && reg != kRbp)) return false;
  const uint64_t base = reg == kRsp ? callee.sp : callee.bp;
  const uint64_t cfa = base + static_cast<uint64_t>(int64_t{rule.cfa_offset()});
  if (cfa != caller.sp || !holds(memory, cfa - 8, caller.step.key & kMemoIdentity)) return false;
  const int8_t slot = rule.slot(kBpSlot);
  if (slot == kNotSaved) return caller.bp == callee.bp;
  return holds(memory, cfa + static_cast<uint64_t>(int64_t{slot} * kSlotSize), caller.bp);
}

}  // namespace

WALKABOUT_HOT void WalkMemo::begin(uint32_t generation) {
  if (generation != generation_) {
    generation_ = generation;
    count_ = 0;
    for (MemoStep& step : recent_) step.key = 0;
    for (MemoStep& step : cache_) step.key = 0;
    for (MemoPlace& place : places_) place.function.begin = place.function.end = 0;
  }
  cursor_ = count_;
  joined_ = 0;
  changed_ = 0;
  fresh_count_ = 0;
  overflow_ = false;
}

WALKABOUT_HOT void WalkMemo::find_cursor(uint64_t sp) {
  while (cursor_ > 0 && steps_[cursor_ - 1].sp < sp) --cursor_;
}

WALKABOUT_HOT std::span<const SeenStep> WalkMemo::unchanged_rest(const Registers& regs,
                                                                 const Memory& memory) {
  find_cursor(regs.sp());
  if (cursor_ == 0 || (changed_ != 0 && cursor_ > changed_)) return {};
  const SeenStep& here = steps_[cursor_ - 1];
  if (here.sp != regs.sp() || here.bp != regs.bp() || !is(here.step, regs.pc())) return {};
  if (steps_[0].step.rule.kind() != CompactRule::Kind::kOutermost) return {};
  for (uint32_t i = cursor_ - 1; i > 0; --i) {
    if (leads_to(steps_[i], steps_[i - 1], memory)) continue;
    changed_ = i;
    return {};
  }
  if (joined_ == 0) joined_ = cursor_;
  const uint32_t count = cursor_;
  cursor_ = 0;
  return {steps_, count};
}

WALKABOUT_HOT const MemoStep* WalkMemo::find(const Registers& regs, bool interrupted) {
  if (!is_address(regs.pc())) return nullptr;
  const uint64_t key = memo_key(regs.pc(), interrupted);
  if (!interrupted) {
    find_cursor(regs.sp());
    if (cursor_ > 0 && steps_[cursor_ - 1].sp == regs.sp() && is(steps_[cursor_ - 1].step, key)) {
      if (joined_ == 0) joined_ = cursor_;
      return &steps_[--cursor_].step;
    }
  }
  const MemoStep* known = find_by_address(key);
  if (known != nullptr && !interrupted) add_fresh(regs, *known);
  return known;
}

WALKABOUT_HOT const MemoStep* WalkMemo::find_by_address(uint64_t key) {
  MemoStep& recent = recent_[recent_place(key)];
  if (is(recent, key)) return &recent;
  const MemoStep& cached = cache_[place(key)];
  if (!is(cached, key)) return nullptr;
  recent = cached;
  return &recent;
}

WALKABOUT_HOT void WalkMemo::keep(const Registers& regs, const MemoStep& step) {
  recent_[recent_place(step.key)] = cache_[place(step.key)] = step;
  if ((step.key & kMemoInterrupted) == 0) add_fresh(regs, step);
}

// When the walk had joined the last one and left it again, what they shared is fresh after all.
WALKABOUT_HOT void WalkMemo::add_fresh(const Registers& regs, const MemoStep& step) {
  const auto add = [this](const SeenStep& seen) {
    if (fresh_count_ == kFresh) {
      overflow_ = true;
      return;
    }
    fresh_[kFresh - ++fresh_count_] = seen;
  };
  for (; joined_ > cursor_ && !overflow_; --joined_) add(steps_[joined_ - 1]);
  joined_ = 0;
  add({regs.sp(), regs.bp(), step});
}

WALKABOUT_HOT void WalkMemo::end() {
  if (overflow_ || joined_ + fresh_count_ > kSteps) {
    count_ = 0;
    return;
  }
  const SeenStep* from = fresh_ + kFresh - fresh_count_;
  for (uint32_t i = 0; i < fresh_count_; ++i) {
    steps_[joined_ + i] = from[i];
    asm volatile("");  // or it becomes a call of memmove, which is in no cache
  }
  count_ = joined_ + fresh_count_;
}

void UnmapMemo::operator()(WalkMemo* memo) const { ::munmap(memo, sizeof *memo); }

MappedMemo map_memo() {
  void* memory =
      ::mmap(nullptr, sizeof(WalkMemo), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return MappedMemo(memory == MAP_FAILED ? nullptr : static_cast<WalkMemo*>(memory));
}

}  // namespace walkabout::unwind
