// How sources of events take their samples: each event with its stack, while walking them takes no more than
// a share of the thread's time, and where its labels are new; the others are summed by thread and labels
// (agent/core/tally.h). So amounts are exact and stacks are a sample of those that a storm has.
//
// begin(), end(): one thread. The rest: the thread that the event is about, in a callback of the runtime's;
// at most 1 KiB of stack beyond the walk (tools/check_callback_stack.py), no lock, no allocation but a ring
// for the thread's first event.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <type_traits>

#include "agent/core/os.h"
#include "agent/core/tally.h"
#include "agent/shared/pages.h"
#include "agent/sources/source.h"
#include "agent/sources/walk_share.h"

namespace walkabout::agent {

// The number of a thread's slot, below wire::kMaxSlots, and whose it is now.
struct Place {
  size_t slot = 0;
  base::ThreadId thread;
};

// What a source keeps of each thread. T: zeroes are its begin.
template <typename T>
class PerThread {
  static_assert(std::is_trivially_destructible_v<T>, "the next thread's is made over it");

 public:
  PerThread() : items_(wire::kMaxSlots) {}
  // The calling thread's; as new where its slot was another's before.
  T& of(const Place& place) {
    Item& item = items_[place.slot];
    if (item.thread != place.thread) {
      new (&item.value) T();  // where it lies: it may be larger than a callback's stack
      item.thread = place.thread;
    }
    return item.value;
  }

 private:
  struct Item {
    base::ThreadId thread;
    T value;
  };
  PagedArray<Item> items_;
};

class EventCapture {
 public:
  // What walks may use of a thread's time, 1 in so many. of_many: the events come in such numbers that their
  // stacks leave half of the thread's ring to those of rarer ones.
  struct Share {
    constexpr Share(uint32_t in, bool many = false) : one_in(in), of_many(many) {}  // NOLINT: a number is one
    uint32_t one_in;
    bool of_many;
  };
  // labels_of_sums: so many of its labels an event keeps where it is summed; the others are 0.
  static constexpr size_t kAllLabels = std::numeric_limits<size_t>::max();
  // largest: as of Tally::add().
  EventCapture(base::SourceId source, Share share, size_t labels_of_sums = kAllLabels, uint32_t largest = 0);
  void begin(const SourceContext& context);
  void end() { threads_.store(nullptr, std::memory_order_release); }

  // Not on the agent's own threads, whose calls into the runtime raise events too.
  bool is_on() const { return threads() != nullptr; }
  // As many of each as the source declares.
  void event(std::span<const uint64_t> values, std::span<const uint64_t> labels) {
    end_event(begin_event(labels), values, labels);
  }
  // complete() fills in the labels that sums do not keep, where the stack will be walked.
  template <typename Complete>
  void event(std::span<const uint64_t> values, std::span<const uint64_t> labels, Complete complete) {
    const Attempt attempt = begin_event(labels);
    if (attempt.walks) complete();
    end_event(attempt, values, labels);
  }
  // The same of a source that sees to its share by itself: a stack, or false and a counted drop.
  bool each(std::span<const uint64_t> values, std::span<const uint64_t> labels);
  // An event that could not be one, counted as a drop.
  void lose() {
    if (is_on()) tally_->lose(source_);
  }
  // The calling thread's. None where it has no slot, or the source is not on.
  std::optional<Place> place() const;
  // What the source keeps of the calling thread; null where it has no place().
  template <typename T>
  __attribute__((noinline)) T* mine(PerThread<T>& all) const {
    const std::optional<Place> own = place();
    return own ? &all.of(*own) : nullptr;
  }
  // The calling thread begins: all its CPU time is in the recording.
  void thread_begins();

 private:
  // An event of the calling thread's.
  struct Attempt {
    ThreadSlot* slot = nullptr;  // null: it has none
    base::ThreadId thread;
    uint64_t began = 0;         // in cycles
    Tally::Row* sum = nullptr;  // known where the thread's share is spent
    bool first = false, walks = false;
  };
  Attempt begin_event(std::span<const uint64_t> labels);
  void end_event(const Attempt& attempt, std::span<const uint64_t> values, std::span<const uint64_t> labels);
  std::span<const uint64_t> kept(std::span<const uint64_t> labels) const {
    return labels.first(std::min(labels.size(), labels_of_sums_));
  }
  // Null: it is not on.
  ThreadTable* threads() const {
    ThreadTable* all = threads_.load(std::memory_order_acquire);  // partner: begin()
    return all == nullptr || OwnThread::is_current() ? nullptr : all;
  }
  ThreadSlot* slot() const;
  // first: of labels that are new, which has the room of rarer events.
  bool has_room(const wire::SlotHeader& shared, bool first) const;

  const base::SourceId source_;
  const Share share_;
  const size_t labels_of_sums_;
  const uint32_t largest_;
  const uint64_t burst_ms_;
  std::atomic<ThreadTable*> threads_{nullptr};
  Tally* tally_ = nullptr;
  uint32_t number_ = 0;                   // of all captures that were ever begun
  mutable PagedArray<WalkShare> shares_;  // by slot
};

}  // namespace walkabout::agent
