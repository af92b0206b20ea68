// All that was learnt of the runtime, for searches of stacks and of the heap. Any thread: lock-free,
// async-signal-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "unwind/async/async_methods.h"
#include "unwind/async/async_types.h"
#include "wire/frame.h"

namespace walkabout::unwind {

// Where a pointer was found last, for each return address: nearly always it is there again.
class AsyncHints {
 public:
  // All zeroes, a power of two, that outlive this.
  explicit AsyncHints(std::span<std::atomic<uint64_t>> words) : words_(words) {}
  // Bytes below the caller's stack pointer; 0: not known.
  uint32_t find(wire::Frame frame) const {
    const uint64_t word = words_[place(frame)].load(std::memory_order_relaxed);
    return word >> 32 == tag(frame) ? static_cast<uint32_t>(word) : 0;
  }
  void keep(wire::Frame frame, uint32_t below) {
    words_[place(frame)].store(tag(frame) << 32 | below, std::memory_order_relaxed);
  }

 private:
  static uint64_t scatter(wire::Frame frame) { return frame.bits * 0x9e3779b97f4a7c15u; }
  static uint64_t tag(wire::Frame frame) { return scatter(frame) >> 32; }
  size_t place(wire::Frame frame) const { return scatter(frame) & (words_.size() - 1); }

  std::span<std::atomic<uint64_t>> words_;
};

struct AsyncKnowledge {
  AsyncTypes& types;
  AsyncMethods& methods;
  AsyncHints& hints;
};

}  // namespace walkabout::unwind
