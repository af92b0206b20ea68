// Whether the managed heap is as a collection left it, and whether one is under way. The runtime suspends,
// collects and resumes by turns, but for a collection in the background, which begins in one suspension and
// ends outside of it or in another.
//
// The callbacks: suspensions follow one another; begin and end of collections on any thread. The rest: any
// thread. Source: gc.cpp of the runtime; measured on .NET 8, 9 and 10: background collections are reported as
// well (COR_PRF_HIGH_BASIC_GC).
#pragma once

#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class CollectionState {
 public:
  // attached: one may be under way of which nothing was reported.
  explicit CollectionState(bool attached = false) : unknown_(attached) {}

  void all_stand() { moment_.fetch_or(1); }
  void resumes() {
    if (const uint64_t now = moment_.load(); now % 2 != 0) moment_.store(now + 1);
  }
  void started(bool full) {
    // Of all generations there is one at a time.
    if (full) unknown_.store(false);
    under_way_.fetch_add(1);
    started_in_.store(moment_.load());
  }
  // Whether all threads stand since before it began and no other collection is under way: its callback may
  // read the heap.
  bool finished() {
    int left = under_way_.load();
    while (left > 0 && !under_way_.compare_exchange_weak(left, left - 1)) {
    }
    if (left <= 0) {  // it had begun before the attach
      unknown_.store(false);
      return false;
    }
    const uint64_t now = moment_.load();
    return left == 1 && now % 2 != 0 && started_in_.load() == now && !unknown_.load();
  }

  bool none_under_way() const { return under_way_.load() == 0 && !unknown_.load(); }
  // Whether it is not known, after an attach; and that none is under way, as somebody found out.
  bool is_unknown() const { return unknown_.load(); }
  void none_seen() { unknown_.store(false); }
  // Changes with each suspension.
  uint64_t moment() const { return moment_.load(); }

 private:
  std::atomic<uint64_t> moment_{0};  // odd: all stand
  std::atomic<uint64_t> started_in_{0};
  std::atomic<int> under_way_{0};
  std::atomic<bool> unknown_;
};

}  // namespace walkabout::agent
