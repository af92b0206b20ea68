// Which methods of a module are probed, or left alone for good, and since when, as compilers see it: a
// method's IL is read before the runtime asks whether it may be inlined, so what was probed since the
// compilation began may have been read without its probes. Thread rule: mark() under the owner's lock, all
// else any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace walkabout::agent {

class ProbedSince {
 public:
  explicit ProbedSince(uint32_t methods) : size_(methods + 1), since_(new std::atomic<uint64_t>[size_] {}) {}

  // Of a compilation that begins now.
  static uint64_t now() { return clock_.load(std::memory_order_acquire); }

  // By row, from 1.
  bool has(uint32_t row) const { return row < size_ && since_[row].load(std::memory_order_acquire) != 0; }
  // Whoever began to compile then has its IL as it is now.
  bool had(uint32_t row, uint64_t then) const {
    const uint64_t since = row < size_ ? since_[row].load(std::memory_order_acquire) : 0;
    return since != 0 && since <= then;
  }
  // Its IL is changed already. Partner of the release: now(), by which a compiler has what was changed
  // before.
  void mark(uint32_t row) {
    since_[row].store(clock_.fetch_add(1, std::memory_order_acq_rel) + 1, std::memory_order_release);
  }
  // None is.
  void clear() {
    std::for_each_n(since_.get(), size_, [](auto& since) { since.store(0, std::memory_order_relaxed); });
  }

 private:
  inline static std::atomic<uint64_t> clock_{0};
  const size_t size_;
  std::unique_ptr<std::atomic<uint64_t>[]> since_;
};

}  // namespace walkabout::agent
