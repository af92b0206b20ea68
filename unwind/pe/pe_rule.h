// PE unwind codes of a frame that called (its prolog is done) as a CFI rule, so that one step does for all
// code and can be remembered. Pure, async-signal-safe.
#pragma once

#include "unwind/pe/pe_unwind.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

// Adds up the codes of one UNWIND_INFO and of those it is chained to: add() each in that order, then
// finish().
class PeRule {
 public:
  // False when the codes cannot be put into a rule (then they have to be run).
  bool add(UnwindInfo info);
  CfiRule finish() const;

 private:
  bool save(uint8_t reg, int64_t at);

  uint8_t base_ = kRsp;
  int64_t at_ = 0;  // the stack pointer, from base_
  bool any_saved_ = false;
  bool saved_[kRegCount] = {};
  int64_t saved_at_[kRegCount] = {};
};

}  // namespace walkabout::unwind
