// Finds the async methods that wait, in one walk over all objects of the managed heap while nothing in it
// moves: which await each stands at, and which method awaits it. What does not need the heap to stand still
// is done behind it (pending_forest.h).
//
// begin() and what comes after finish(): the spooler. look() and finish(): one thread that knows that no
// object moves and no collection is under way, in a callback or while it has stopped the runtime: no
// allocation, no lock, no call into the CLR. What passes from one to the other is up to the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "agent/shared/pages.h"
#include "unwind/async/async_chain.h"

namespace walkabout::agent {

struct PendingOperation {
  uint64_t box = 0;
  uint64_t awaiter = 0;  // the box of the method that awaits this one; 0: none, or not known
  const unwind::AsyncType* type = nullptr;  // while the program stands
  base::CodeId method;
  int32_t state = 0;
  unwind::AsyncEnd end = unwind::AsyncEnd::kUnknown;  // kTooDeep: there is an awaiter
  wire::AsyncUnknown why = wire::AsyncUnknown::kNone;
};

class PendingWalk {
 public:
  static constexpr size_t kMost = 1 << 20;         // methods
  static constexpr size_t kMostClasses = 1 << 14;  // that are noted

  explicit PendingWalk(const unwind::AsyncTypes& types);

  // end_ns (CLOCK_MONOTONIC): the walk ends there, whether it is done or not.
  void begin() {
    slots_.forget();
    types_.touch();
    for (uint64_t& type : class_list_) type = 0;
    objects_ = found_ = classes_ = 0;
    whole_ = true;
    last_class_ = 0;
  }
  void end_at(uint64_t end_ns) { end_ns_ = end_ns; }
  // An object. False: the time is over, no more are wanted.
  bool look(uint64_t object);
  // When all were looked at.
  void finish();

  // What was found. whole: all objects were looked at, and all that wait are there.
  uint64_t objects() const { return objects_; }
  bool whole() const { return whole_; }
  std::span<const PendingOperation> found() { return {&operations_[0], found_}; }
  // The classes of all objects, each once; the first kMostClasses.
  std::span<const uint64_t> classes() { return {&class_list_[0], classes_}; }
  void is_not_whole() { whole_ = false; }

 private:
  struct Slot {
    uint64_t method_table;  // 0: free
    const unwind::AsyncType* box;
  };
  struct Slots {
    PagedArray<Slot> all{4 * kMostClasses};
    void forget() {
      for (Slot& slot : all) slot = {};
    }
  };
  const unwind::AsyncType* box_of_class(uint64_t method_table);
  bool in_time();

  void fetch(size_t ahead) const;

  const unwind::AsyncTypes& types_;
  unwind::HeapReader heap_;
  Slots slots_;
  PagedArray<uint64_t> class_list_{kMostClasses};
  PagedArray<PendingOperation> operations_{kMost};
  uint64_t end_ns_ = 0;
  uint64_t objects_ = 0;
  size_t found_ = 0, classes_ = 0;
  bool whole_ = true;
  uint64_t last_class_ = 0;  // of the object before
  const unwind::AsyncType* last_box_ = nullptr;
};

}  // namespace walkabout::agent
