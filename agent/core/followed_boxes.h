// Since when async methods wait, as far as snapshots tell: a weak handle for each box that one found waiting,
// so that the next knows it again wherever collections have moved it. A box waits again and again while its
// method runs on: it counts as the same operation while its await is the same. Of more than kMost nothing is
// known.
//
// note(): while all threads stand and no collection is under way. The rest, and what of it allocates: the
// spooler. Source: ICorProfilerInfo13.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "agent/core/pending_walk.h"
#include "agent/shared/pages.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class FollowedBoxes {
 public:
  static constexpr size_t kMost = 50'000;

  explicit FollowedBoxes(clr::ICorProfilerInfo12* info);

  // Those that wait now, the time of this snapshot, and when it ends at the latest (CLOCK_MONOTONIC).
  void note(std::span<const PendingOperation> found, uint64_t now_ns, uint64_t end_ns);
  // The first snapshot that found it at this await; 0: not known. Of `found`, until the next note().
  uint64_t since_ns(size_t i) { return since_[i]; }
  // Behind it: those that wait no more are followed no longer.
  void sweep();
  // All handles are given back.
  void end();
  size_t size() const { return used_; }

 private:
  struct Followed {
    clr::ObjectHandleID handle;
    uint64_t box;  // where it was in this snapshot
    uint64_t since_ns;
    int32_t state;
    bool waits;
  };
  static constexpr size_t kSlots = 1 << 17;
  uint32_t& slot_of(uint64_t box);
  void find_boxes();

  clr::ComPtr<clr::ICorProfilerInfo13> info_;
  PagedArray<Followed> followed_{kMost};
  PagedArray<uint32_t> slots_{kSlots};  // place in followed_ + 1
  PagedArray<uint64_t> since_{PendingWalk::kMost};
  size_t used_ = 0;
};

}  // namespace walkabout::agent
