#include "tests/step/shadow_stack.h"

namespace walkabout::agent::step {

void ShadowStack::settle(uint64_t sp) {
  const bool alternate = on_alternate(sp);
  for (; count_ > 0; --count_) {
    const uint64_t slot = calls_[count_ - 1].slot;
    if (on_alternate(slot) == alternate ? slot >= sp : alternate) return;
  }
}

bool ShadowStack::push(const Call& call) {
  settle(call.slot + 1);  // a word that is written again belonged to a call that was left
  if (count_ == kCapacity) return false;
  calls_[count_++] = call;
  return true;
}

}  // namespace walkabout::agent::step
