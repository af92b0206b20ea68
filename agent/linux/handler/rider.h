// A value that waits at a thread for its next tick, which makes a second sample of it: of another source,
// with the tick's stack. So a source samples a running thread without a signal of its own. One source at a
// time has riders.
//
// The source's thread leaves values and takes them back; the thread's handler takes them. A value is taken
// once, by one of the two. Values that were not taken yet add up. Async-signal-safe.
#pragma once

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

  // value: not 0. labels: as many as the source has. Of values that add up the last labels count.
  void leave(base::SourceId source, uint64_t value, const std::array<uint64_t, kMostRiderLabels>& label,
             uint32_t labels) {
    for (uint32_t i = 0; i < kMostRiderLabels; ++i) label_[i].store(label[i], std::memory_order_relaxed);
    labels_.store(labels, std::memory_order_relaxed);
    source_.store(source.value, std::memory_order_relaxed);
    value_.fetch_add(value, std::memory_order_release);  // partner: take()
  }
  bool waits() const { return value_.load(std::memory_order_relaxed) != 0; }
  // Its value is 0 where somebody else took it.
  Taken take() {
    Taken taken;
    taken.value = value_.exchange(0, std::memory_order_acquire);  // partner: leave()
    taken.source = base::SourceId(source_.load(std::memory_order_relaxed));
    taken.labels = labels_.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < kMostRiderLabels; ++i)
      taken.label[i] = label_[i].load(std::memory_order_relaxed);
    return taken;
  }
  // REQUIRES: nobody leaves or takes: the slot is given to another thread.
  void clear() { value_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
  std::atomic<uint32_t> source_{0}, labels_{0};
  std::atomic<uint64_t> label_[kMostRiderLabels] = {};
};

}  // namespace walkabout::agent
