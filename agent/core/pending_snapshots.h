// Snapshots of the async methods that wait: stops the program, has a PendingWalk look through the heap, and
// lets the program go on. From .NET 9 on at any moment, where no collection is under way. .NET 8 lists its
// objects to nobody: there the walk rides on a collection of the program's, at whose end all threads stand
// and objects lie side by side.
//
// collection_finished(): the callback of that name. The rest: the spooler, which holds no lock of ours.
// Sources: ICorProfilerInfo10::SuspendRuntime, ICorProfilerInfo15::EnumerateGCHeapObjects.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "agent/core/async_learner.h"
#include "agent/core/followed_boxes.h"
#include "agent/core/pending_walk.h"
#include "agent/shared/collection_state.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class PendingSnapshots {
 public:
  struct Parts {
    clr::ICorProfilerInfo12* info;
    AsyncLearner& learner;
    CollectionState& collections;
    // Whether the runtime does not report the classes that it had loaded before: objects tell of them.
    bool attached;
    uint64_t longest_pause_ns;
    bool follows;  // from one snapshot to the next
  };
  explicit PendingSnapshots(const Parts& parts);

  enum class Progress : uint8_t {
    kTaken,
    kWaits,    // for a collection's end, or on .NET 8 for a collection: ask again
    kRefused,  // the runtime did not do it
  };
  Progress take();
  // Of the last one, until the next is begun.
  PendingWalk& walk() { return walk_; }
  uint64_t pause_ns() const { return pause_ns_; }
  uint64_t cpu_ns() const { return cpu_ns_; }    // used in it
  uint64_t time_ns() const { return time_ns_; }  // CLOCK_MONOTONIC
  // It can be had at any moment.
  bool is_free() const { return info15_.get() != nullptr; }
  // Since when the operation of walk().found() is known to wait (CLOCK_MONOTONIC); 0: not known.
  uint64_t since_ns(size_t i) { return followed_ == nullptr ? 0 : followed_->since_ns(i); }
  // No other is begun, or rides. Any thread.
  void stop();
  // The last pass of the spooler.
  void end() {
    if (followed_ != nullptr) followed_->end();
  }

  void collection_finished();

 private:
  // Of a walk that rides: who asks, the thread that collects, who takes it.
  enum class Ride : uint8_t { kNone, kAsked, kUnderWay, kDone };
  static constexpr size_t kMostRanges = 4096;

  Progress stop_and_walk();
  Progress ride();
  Progress taken();
  void walk_ranges();
  void choose_classes();
  bool learn_classes();

  const Parts parts_;
  clr::ComPtr<clr::ICorProfilerInfo15> info15_;
  PendingWalk walk_;
  PagedArray<clr::COR_PRF_GC_GENERATION_RANGE> ranges_{kMostRanges};
  PagedArray<uint8_t> lives_{PendingWalk::kMostClasses};  // of the walk's classes: it is never unloaded
  std::unique_ptr<FollowedBoxes> followed_;               // null: none are
  std::atomic<Ride> ride_{Ride::kNone};
  uint32_t unloads_ = 0;  // AsyncLearner::unloads(), when lives_ was said
  int tries_ = 0;
  // Of the last walk, and of the longest one of a snapshot.
  uint64_t pause_ns_ = 0, cpu_ns_ = 0, longest_ns_ = 0, longest_cpu_ns_ = 0;
  uint64_t time_ns_ = 0;
};

}  // namespace walkabout::agent
