// What a thread spends on walks for a source, and which of its events are walked where that is too little for
// each. Not the first one that there is time for again: that would be one behind a pause more often than its
// number says. It is one of the next, at random, of as many as were left out before.
//
// Times are cycles of the time stamp counter. Pure; one thread. Zeroes are its begin.
#pragma once

#include <algorithm>
#include <cstdint>

namespace walkabout::agent {

class WalkShare {
 public:
  // Whether the event of this moment is walked. ahead: what may be spent before it is earned. random: evenly
  // distributed.
  bool takes(uint64_t now, uint64_t ahead, uint32_t random) {
    if (now + ahead < paid_until_) {
      ++left_out_;
      chosen_ = false;
      return false;
    }
    if (left_out_ == 0) return true;
    if (!chosen_) {
      chosen_ = true;
      skips_ = static_cast<uint32_t>(uint64_t{random} * (left_out_ + 1) >> 32);
      chosen_at_ = now;
    }
    // Events may be rarer by now: the thread waits for no more than the time in which it was not walked.
    if (skips_ == 0 || now - chosen_at_ >= earning_) return true;
    --skips_;
    return false;
  }
  // Of the event's walk, which began then. one_in: walks take 1 in so many of the thread's time.
  void walked(uint64_t began, uint64_t cycles, uint32_t one_in) {
    earning_ = cycles * one_in;
    paid_until_ = std::max(paid_until_, began) + earning_;
    left_out_ = 0;
    chosen_ = false;
  }

 private:
  uint64_t paid_until_;
  uint64_t earning_;    // what the last walk takes to be earned
  uint64_t chosen_at_;  // when the event to walk was chosen, if it was
  uint32_t left_out_;   // events since the last walk that there was no time for
  uint32_t skips_;      // events before the chosen one
  bool chosen_;
};

}  // namespace walkabout::agent
