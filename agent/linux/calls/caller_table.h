// Counts calls by (method, caller): what threads that run managed code add to, and the spooler reads.
//
// pair_of(), count(): any number of threads, in the middle of managed code: no lock, no allocation, no
// waiting, and each call is counted once. take(): one thread at a time. A pair that is there stays, so memory
// is bounded: kMostCallers places that call, kMostPairs pairs. What finds no room is not counted here.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/shared/pages.h"
#include "wire/frame.h"

namespace walkabout::agent {

class CallerTable {
 public:
  static constexpr uint32_t kMostCallers = 1 << 16, kMostPairs = 1 << 17;

  static constexpr uint32_t kNoRoom = UINT32_MAX;

  // Where calls of this pair are counted. caller: not Frame().
  uint32_t pair_of(uint32_t method, wire::Frame caller) {
    const uint32_t place = place_of(callers_, caller.bits, kMostCallers);
    return place == kNoRoom ? kNoRoom : place_of(pairs_, uint64_t{place + 1} << 32 | method, kMostPairs);
  }
  // A call. pair: by pair_of().
  void count(uint32_t pair) {
    // release: who sees it sees what the thread counted before (call_counters.h); partner: take().
    if (calls_[pair].fetch_add(1, std::memory_order_release) == 0) list(pair);
  }
  // each(method, caller, calls): of every pair that had calls since it was taken last. It says whether it
  // takes them; else they are offered again.
  template <typename Each>
  void take(Each each) {
    const uint32_t listed = listed_.load(std::memory_order_acquire);  // partner: list()
    for (uint32_t i = 0; i < listed; ++i) {
      const uint32_t entry = list_[i].load(std::memory_order_acquire);
      if (entry == 0) continue;  // it is being listed
      const uint32_t pair = entry - 1;
      const uint64_t calls = calls_[pair].load(std::memory_order_acquire);
      if (calls == taken_[pair]) continue;
      const uint64_t key = pairs_[pair].load(std::memory_order_relaxed);
      const wire::Frame caller{callers_[(key >> 32) - 1].load(std::memory_order_relaxed)};
      if (each(static_cast<uint32_t>(key), caller, calls - taken_[pair])) taken_[pair] = calls;
    }
  }

 private:
  using Words = PagedArray<std::atomic<uint64_t>>;
  static constexpr uint32_t kMostProbes = 64;

  // Fibonacci hashing: the upper bits depend on all of them.
  static uint32_t hash(uint64_t key, uint32_t size) {
    return static_cast<uint32_t>((key ^ key >> 29) * 0x9e37'79b9'7f4a'7c15u >> 40) & (size - 1);
  }
  // Where the key is, or is put. A key never moves.
  static uint32_t place_of(Words& keys, uint64_t key, uint32_t size) {
    uint32_t at = hash(key, size);
    for (uint32_t i = 0; i < kMostProbes; ++i, at = (at + 1) & (size - 1)) {
      uint64_t there = keys[at].load(std::memory_order_relaxed);
      if (there == 0) keys[at].compare_exchange_strong(there, key, std::memory_order_relaxed);
      if (there == 0 || there == key) return at;
    }
    return kNoRoom;
  }
  // Of the first call of a pair: each is listed once.
  void list(uint32_t pair) {
    list_[listed_.fetch_add(1, std::memory_order_acq_rel)].store(pair + 1, std::memory_order_release);
  }

  Words callers_{kMostCallers};  // Frame::bits; 0: free
  Words pairs_{kMostPairs};      // place of the caller + 1, and the method; 0: free
  Words calls_{kMostPairs};
  PagedArray<std::atomic<uint32_t>> list_{kMostPairs};  // pairs + 1, in order of their first calls
  PagedArray<uint64_t> taken_{kMostPairs};
  std::atomic<uint32_t> listed_{0};
};

}  // namespace walkabout::agent
