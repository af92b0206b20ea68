// Numbers from 1 that are free: taken and given back by any thread, without a lock. From a probe.
#pragma once

#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class FreeList {
 public:
  // next: zeroes, one for each number and one more, which stay as long as this. Numbers that never were taken
  // need nothing written. Again: all are free. REQUIRES: nobody is at it.
  void init(std::atomic<uint32_t>* next, uint32_t most) {
    next_ = next;
    most_ = most;
    head_.store(0);
    fresh_.store(0);
  }

  // 0: none is left.
  uint32_t take() {
    uint64_t head = head_.load(std::memory_order_acquire);
    while (static_cast<uint32_t>(head) != 0) {
      const uint32_t number = static_cast<uint32_t>(head);
      const uint64_t rest = (head & kTag) + kOneTag + next_[number].load(std::memory_order_relaxed);
      if (head_.compare_exchange_weak(head, rest, std::memory_order_acquire)) return number;
    }
    uint32_t fresh = fresh_.load(std::memory_order_relaxed);
    while (fresh < most_)
      if (fresh_.compare_exchange_weak(fresh, fresh + 1, std::memory_order_relaxed)) return fresh + 1;
    return 0;
  }
  // For whose a number is, to link it by.
  uint32_t link(uint32_t number) const { return next_[number].load(std::memory_order_relaxed); }
  void set_link(uint32_t number, uint32_t to) { next_[number].store(to, std::memory_order_relaxed); }
  // REQUIRES: it was taken.
  void give_back(uint32_t number) {
    uint64_t head = head_.load(std::memory_order_relaxed);
    uint64_t now = 0;
    do {
      next_[number].store(static_cast<uint32_t>(head), std::memory_order_relaxed);
      now = (head & kTag) + kOneTag + number;
    } while (!head_.compare_exchange_weak(head, now, std::memory_order_release, std::memory_order_relaxed));
  }

 private:
  // Above the number a count of changes: what was taken and given back meanwhile is noticed.
  static constexpr uint64_t kOneTag = uint64_t{1} << 32, kTag = ~(kOneTag - 1);
  std::atomic<uint64_t> head_{0};
  std::atomic<uint32_t>* next_ = nullptr;
  std::atomic<uint32_t> fresh_{0};
  uint32_t most_ = 0;
};

}  // namespace walkabout::agent
