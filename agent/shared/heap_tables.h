// What is known of the managed heap's regions, for handlers: two tables, of which one is looked at and the
// other may be filled. A table holds for a moment, which lasts from one suspension of all threads to the
// next.
//
// all_stand() and runs(): the thread that suspends, while the gate is closed. fill(): one thread at a time;
// who finds another at work leaves it. view(): a handler inside of the gate, for as long as it is there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/shared/heap_gate.h"
#include "agent/shared/pages.h"
#include "unwind/async/heap_regions.h"

namespace walkabout::agent {

class HeapTables {
 public:
  static constexpr size_t kMost = 4096;  // regions; of the rest nothing is known

  explicit HeapTables(const HeapGate& gate) : gate_(gate) {}

  void all_stand() { moment_.store(moment_.load(std::memory_order_relaxed) | 1, std::memory_order_relaxed); }
  // ask: fills a table (HeapRegions&, what was known before), or returns false.
  template <typename Ask>
  void run(Ask ask) {
    const uint64_t stood = moment_.load(std::memory_order_relaxed);
    if (stood % 2 == 0) return;
    fill(stood + 1, ask);
    moment_.store(stood + 1, std::memory_order_relaxed);
  }
  // While they run.
  template <typename Ask>
  void refresh(Ask ask) {
    const uint64_t now = moment_.load(std::memory_order_relaxed);
    // Empty: who looked at the other table has left.
    if (now % 2 == 0 && gate_.empty()) fill(now, ask);
  }

  unwind::HeapView view() const {
    unwind::HeapView view;
    view.range.hi = hi_.load(std::memory_order_acquire);
    view.range.lo = lo_.load(std::memory_order_relaxed);
    const unwind::HeapRegions& table = tables_[current_.load(std::memory_order_seq_cst)];
    if (table.moment == moment_.load(std::memory_order_relaxed)) view.regions = &table;
    return view;
  }

 private:
  // The answer holds for this moment, and for no other that may have come when it is there.
  template <typename Ask>
  void fill(uint64_t moment, Ask ask) {
    if (busy_.test_and_set(std::memory_order_acquire)) return;
    const uint32_t before = current_.load(std::memory_order_relaxed);
    unwind::HeapRegions& table = tables_[1 - before];
    table.clear();
    if (ask(table, tables_[before]) && !table.all().empty()) {
      widen(table.all().front().begin, table.all().back().end);
      table.moment = moment;
      current_.store(1 - before, std::memory_order_seq_cst);
    }
    busy_.clear(std::memory_order_release);
  }
  void widen(uint64_t lo, uint64_t hi) {
    const uint64_t known = lo_.load(std::memory_order_relaxed);
    if (known == 0 || lo < known) lo_.store(lo, std::memory_order_relaxed);
    if (hi > hi_.load(std::memory_order_relaxed))
      hi_.store(hi, std::memory_order_release);  // partner: view()
  }

  const HeapGate& gate_;
  std::atomic<uint64_t> moment_{2};  // odd: all stand. Another one after each suspension
  std::atomic_flag busy_;
  PagedArray<unwind::HeapRegion> room_{2 * kMost};
  unwind::HeapRegions tables_[2] = {unwind::HeapRegions({&room_[0], kMost}),
                                    unwind::HeapRegions({&room_[kMost], kMost})};
  std::atomic<uint32_t> current_{0};  // of tables_; seq_cst, partner: view()
  // Only grows: objects lie there, or did.
  std::atomic<uint64_t> lo_{0}, hi_{0};
};

}  // namespace walkabout::agent
