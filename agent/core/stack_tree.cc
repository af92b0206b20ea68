#include "agent/core/stack_tree.h"

#include <algorithm>
#include <utility>

namespace walkabout::agent {
namespace {

constexpr size_t kInitialSlots = 1 << 12;

uint64_t hash(uint64_t frame, uint32_t parent) {
  uint64_t h = (frame ^ (uint64_t{parent} << 29)) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32) ^ parent) * 0xd6e8feb86659fd93u;
  return h ^ (h >> 29);
}

}  // namespace

StackTree::StackTree() : slots_(kInitialSlots) {}

base::StackId StackTree::child(base::StackId parent, wire::Frame frame, bool* fresh) {
  for (;;) {
    const size_t mask = slots_.size() - 1;
    size_t i = hash(frame.bits, parent.value) & mask;
    for (; slots_[i].node != 0; i = (i + 1) & mask) {
      if (slots_[i].frame == frame.bits && slots_[i].parent == parent.value) {
        *fresh = false;
        return base::StackId(slots_[i].node);
      }
    }
    if (size_t{size_} * 2 >= slots_.size()) {
      grow();
      continue;
    }
    slots_[i] = {frame.bits, parent.value, ++size_};
    *fresh = true;
    return base::StackId(size_);
  }
}

void StackTree::clear() {
  size_t slots = kInitialSlots;
  while (slots < size_t{size_} * 2) slots *= 2;
  size_ = 0;
  if (slots < slots_.size()) {
    slots_ = PagedArray<Slot>(slots);
  } else {
    std::fill(slots_.begin(), slots_.end(), Slot{});
  }
}

void StackTree::grow() {
  PagedArray<Slot> old(slots_.size() * 2);
  std::swap(old, slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& s : old) {
    if (s.node == 0) continue;
    size_t i = hash(s.frame, s.parent) & mask;
    while (slots_[i].node != 0) i = (i + 1) & mask;
    slots_[i] = s;
  }
}

}  // namespace walkabout::agent
