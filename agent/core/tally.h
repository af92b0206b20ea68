// Amounts of events whose stacks are not walked, by thread, source and labels: the events of a storm are
// counted where they come faster than stacks can be walked. The spooler makes a sample without a stack of
// each sum in its next pass.
//
// add(): any thread, outside of the handler; no lock, no allocation, no wait. take(), free_rows_of(): the
// spooler.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "agent/shared/pages.h"
#include "base/ids.h"
#include "wire/sources.h"

namespace walkabout::agent {

class Tally {
 public:
  static constexpr size_t kMostRows = 4096;
  static constexpr size_t kMostValues = 10, kMostLabels = 4;

  struct Sum {
    base::ThreadId thread;
    base::SourceId source;
    std::array<uint64_t, kMostValues> values;
    std::array<uint64_t, kMostLabels> labels;
  };

  struct Row {
    Sum key;              // its values are not used
    bool walked = false;  // its thread's
    std::atomic<uint64_t> values[kMostValues];
  };

  Tally() : keys_(kMostRows), rows_(kMostRows) {}
  // Values add up, but for those of which the largest counts: a bit for each, the first value's is the
  // lowest. Where there is no room for labels that are new, to those of the thread without labels; false
  // where that has none either: the event is lost, and counted. REQUIRES: no other thread adds for this one.
  bool add(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> values,
           std::span<const uint64_t> labels, uint32_t largest = 0);
  // The sum of these labels, for the events of one thread in this moment: it is nobody's once the thread has
  // ended. Null: there is no room. REQUIRES (all of these): as add().
  Row* row(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> labels);
  static void add(Row& row, std::span<const uint64_t> values, uint32_t largest = 0);
  // Whether no event of the sum had its stack walked, as walked() says.
  static bool is_first(const Row& row) { return !row.walked; }
  static void walked(Row& row) { row.walked = true; }
  // An event of a thread that is not known.
  void lose(base::SourceId source) { lost_[source.value - 1].fetch_add(1, std::memory_order_relaxed); }
  uint64_t lost(base::SourceId source) const {
    return lost_[source.value - 1].load(std::memory_order_relaxed);
  }

  // Calls visit(Sum) for what was added since the last call.
  template <typename Visit>
  void take(Visit visit) {
    if (rows_used() == 0) return;
    for (size_t i = 0; i < kMostRows; ++i) {
      if (keys_[i].load(std::memory_order_acquire) < kLeastHash) continue;  // partner: find()
      Sum sum{};
      if (take_row(rows_[i], &sum)) visit(sum);
    }
  }
  // The thread has ended, and what it added was taken.
  void free_rows_of(base::ThreadId thread);

 private:
  // Of a row: 0 where none was ever, kFreed where there was one; else a hash of its thread, source and
  // labels.
  static constexpr uint64_t kFreed = 1, kBeingWritten = 2, kLeastHash = 3;
  static bool is(const Row& row, const Sum& key) {
    return row.key.thread == key.thread && row.key.source == key.source && row.key.labels == key.labels;
  }
  // Made where there is none. Null: there is no room.
  Row* find(const Sum& key);
  static bool take_row(Row& row, Sum* sum);
  uint64_t rows_used() const { return used_.load(std::memory_order_relaxed); }

  PagedArray<std::atomic<uint64_t>> keys_;
  PagedArray<Row> rows_;
  std::atomic<uint64_t> used_{0};
  std::array<std::atomic<uint64_t>, wire::kMostSources> lost_{};
};

}  // namespace walkabout::agent
