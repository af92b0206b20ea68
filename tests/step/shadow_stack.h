// The chain of callers as the executed instructions made it: what a walk is judged by.
//
// Knows no unwind data: a call that was executed puts its return address where the stack pointer now points;
// whatever moves the stack pointer above that word (ret, a caught exception, longjmp) has left the call. A
// jump pushes nothing, so tail calls need no rule. A signal handler may run on an alternate stack: what was
// called there is left when the thread is back on its own. One thread, no allocation after construction,
// async-signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "wire/frame.h"

namespace walkabout::agent::step {

struct Call {
  uint64_t slot = 0;  // where the return address lies: the canonical frame address is 8 above
  uint64_t ret = 0;   // what the call pushed
  wire::Frame frame;  // its name, kept so that it is looked up once
};

class ShadowStack {
 public:
  static constexpr size_t kCapacity = 1 << 16;
  ShadowStack() : calls_(new Call[kCapacity]) {}

  void clear() { count_ = alternate_lo_ = alternate_hi_ = 0; }
  void set_alternate(uint64_t lo, uint64_t hi) { alternate_lo_ = lo, alternate_hi_ = hi; }
  bool on_alternate(uint64_t address) const { return address >= alternate_lo_ && address < alternate_hi_; }
  // False when there is no room: nothing is changed then.
  bool push(const Call& call);
  // Leaves every call whose word lies below sp, or on the alternate stack if sp does not.
  void settle(uint64_t sp);
  // The call whose return address lies at sp was not one that returns (on-stack replacement).
  void abandon(uint64_t sp) {
    if (count_ > 0 && calls_[count_ - 1].slot == sp) --count_;
  }
  size_t size() const { return count_; }
  // 0: the innermost.
  Call& caller(size_t i) { return calls_[count_ - 1 - i]; }
  const Call& caller(size_t i) const { return calls_[count_ - 1 - i]; }

 private:
  std::unique_ptr<Call[]> calls_;  // outermost first
  size_t count_ = 0;
  uint64_t alternate_lo_ = 0, alternate_hi_ = 0;
};

}  // namespace walkabout::agent::step
