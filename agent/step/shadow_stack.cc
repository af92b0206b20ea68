#include "agent/step/shadow_stack.h"

namespace walkabout::agent::step {

bool ShadowStack::push(const Call& call) {
  settle(call.slot + 1);  // a word that is written again belonged to a call that was left
  if (count_ == kCapacity) return false;
  calls_[count_++] = call;
  return true;
}

}  // namespace walkabout::agent::step
