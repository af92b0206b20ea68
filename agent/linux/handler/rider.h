// A value that waits at a thread for its next tick, which makes a second sample of it: of another source,
// with the tick's stack. So a source samples a running thread without a signal of its own. One source at a
// time has riders.
//
// The source's thread leaves values and takes them back; the thread's handler takes them. A value is taken
// once, by one of the two, with the labels it was left with. Values that were not taken yet add up. No lock,
// no loop: async-signal-safe.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "base/ids.h"

namespace walkabout::agent {

inline constexpr uint32_t kMostRiderLabels = 2;

class Rider {
 public:
  struct Taken {
    base::SourceId source;
    uint64_t value = 0;
    uint32_t labels = 0;
    std::array<uint64_t, kMostRiderLabels> label{};
  };

  static constexpr uint64_t kMost = (uint64_t{1} << 48) - 1;  // more is cut

  // value: not 0. labels: as many as the source has. Of values that add up the last labels count.
  // While labels are written the rider is empty, and every leave() makes another word: a take() whose word is
  // still there has read that word's labels.
  void leave(base::SourceId source, uint64_t value, const std::array<uint64_t, kMostRiderLabels>& label,
             uint32_t labels) {
    const uint64_t untaken = word_.exchange(0, std::memory_order_acq_rel) >> kCountBits;
    for (uint32_t i = 0; i < kMostRiderLabels; ++i) label_[i].store(label[i], std::memory_order_release);
    labels_.store(labels, std::memory_order_release);
    source_.store(source.value, std::memory_order_release);  // partner (all four): take()
    const uint64_t all = std::min(untaken + std::min(value, kMost), kMost);
    word_.store(all << kCountBits | ++left_, std::memory_order_release);  // partner: take()
  }
  bool waits() const { return word_.load(std::memory_order_relaxed) != 0; }
  // Its value is 0 where somebody else took it, or leaves another just now: that one waits for the next tick.
  Taken take() {
    Taken taken;
    uint64_t word = word_.load(std::memory_order_acquire);  // partner: leave()
    if (word == 0) return taken;
    // Labels of a later leave() come with its exchange: then the word is another.
    for (uint32_t i = 0; i < kMostRiderLabels; ++i)
      taken.label[i] = label_[i].load(std::memory_order_acquire);
    taken.labels = labels_.load(std::memory_order_acquire);
    taken.source = base::SourceId(source_.load(std::memory_order_acquire));
    const uint64_t value = word >> kCountBits;
    if (word_.compare_exchange_strong(word, 0, std::memory_order_acq_rel)) taken.value = value;
    return taken;
  }
  // REQUIRES: nobody leaves or takes: the slot is given to another thread.
  void clear() { word_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kCountBits = 16;

  std::atomic<uint64_t> word_{0};  // the value, and below it the number of the leave(); 0: nothing waits
  uint16_t left_ = 0;              // the source's thread's
  std::atomic<uint32_t> source_{0}, labels_{0};
  std::atomic<uint64_t> label_[kMostRiderLabels] = {};
};

}  // namespace walkabout::agent
