// Amounts of events whose stacks are not walked, by thread, source and labels: the events of a storm are
// counted where they come faster than stacks can be walked. The spooler makes a sample without a stack of
// each sum in its next pass. The sums lie in the ring memory (wire/sums.h), so that they outlive the program.
//
// begin(): before the first event. add(): any thread, outside of the handler; no lock, no allocation, no
// wait. take(), free_rows_of(): the spooler.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "agent/shared/pages.h"
#include "agent/shared/rings.h"
#include "base/ids.h"
#include "base/result.h"
#include "wire/sources.h"
#include "wire/sums.h"

namespace walkabout::agent {

class Tally {
 public:
  static constexpr size_t kMostRows = wire::kMostSums;
  static constexpr size_t kMostValues = wire::kMostSumValues, kMostLabels = wire::kMostSumLabels;
  using Row = wire::SumRow;

  struct Sum {
    base::ThreadId thread;
    base::SourceId source;
    std::array<uint64_t, kMostValues> values;
    std::array<uint64_t, kMostLabels> labels;
  };

  // In memory of its own, until it is given the rings'.
  Tally() : own_(1), sums_(&(*own_)[0]) {}
  // The mapping is there, and stays. On an error they stay where they are, and end with the process.
  base::Status begin(Rings& rings);
  // Values add up, but for those of which the largest counts: a bit for each, the first value's is the
  // lowest. Where there is no room for labels that are new, to those of the thread without labels; false
  // where that has none either: the event is lost, and counted. REQUIRES: no other thread adds for this one.
  bool add(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> values,
           std::span<const uint64_t> labels, uint32_t largest = 0);
  // The sum of these labels, for the events of one thread in this moment: it is nobody's once the thread has
  // ended. Null: there is no room. REQUIRES (all of these): as add().
  Row* row(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> labels,
           uint32_t largest = 0);
  static void add(Row& row, std::span<const uint64_t> values);
  // Whether no event of the sum had its stack walked, as walked() says.
  static bool is_first(const Row& row) { return !row.walked; }
  static void walked(Row& row) { row.walked = true; }
  // An event of a thread that is not known.
  void lose(base::SourceId source) { sums_->lost[source.value - 1].fetch_add(1, std::memory_order_relaxed); }
  uint64_t lost(base::SourceId source) const {
    return sums_->lost[source.value - 1].load(std::memory_order_relaxed);
  }

  enum class Taken {
    kEmitted,  // a sample of it follows those that are emitted already
    kLeft,     // until the next call
    kLost,     // its thread is not known: the row is freed
  };
  // Calls visit(Sum), which says a Taken, for what was added since it was emitted last. REQUIRES: what the
  // call before emitted is written out.
  template <typename Visit>
  void take(Visit visit) {
    if (rows_used() == 0) return;
    for (size_t i = 0; i < kMostRows; ++i) {
      if (sums_->keys[i].load(std::memory_order_acquire) < wire::Sums::kLeastHash)
        continue;  // partner: find()
      Row& row = sums_->rows[i];
      Sum sum{};
      if (!read(row, &sum)) continue;
      const Taken taken = visit(sum);
      if (taken == Taken::kEmitted) note_emitted(row, sum);
      if (taken == Taken::kLost) free_row(i);
    }
  }
  // The thread has ended, and what it added was emitted and written out.
  void free_rows_of(base::ThreadId thread);

 private:
  // Made where there is none. Null: there is no room.
  Row* find(const Sum& key, uint32_t largest);
  // False: nothing was added.
  static bool read(const Row& row, Sum* sum);
  void note_emitted(Row& row, const Sum& sum);
  void free_row(size_t index);
  uint64_t rows_used() const { return used_.load(std::memory_order_relaxed); }

  std::optional<PagedArray<wire::Sums>> own_;  // empty: they lie in the rings' memory
  wire::Sums* sums_;
  std::atomic<uint64_t> used_{0};
  std::map<std::pair<base::ThreadId, base::SourceId>, uint64_t> emitted_;  // samples of kTally; the spooler
};

}  // namespace walkabout::agent
