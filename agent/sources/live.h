// The source "live": objects that still exist, with the stack that allocated them. Of the allocations that
// the runtime samples (sampled_object.h) it follows each, or a share of them by chance where there are many:
// no more than LiveObjects::kMost at a time, and about kMostPerSecond new ones in a second. A sample is taken
// at the allocation and has the object's number; records Sweep say, once a second, which numbers are gone.
//
// On the thread that allocates; the sweeps: the spooler.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "agent/core/live_objects.h"
#include "agent/sources/event_source.h"
#include "base/mutex.h"
#include "clr/abi/com_ptr.h"

namespace walkabout::agent {

class LiveSource final : public EventSource {
 public:
  LiveSource() : EventSource(wire::source_id("live"), 1) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override;
  void on_event(const RuntimeEvent& event) override;

  static constexpr uint32_t kMostPerSecond = 1'000;
  // So many within a second are too many: half as many of those that come next.
  static constexpr uint32_t kBurst = 4'000;

 private:
  // Collections, by when: so that who reads can say what an object has survived.
  struct Collections {
    std::atomic<uint64_t> first{0};  // its number + 1: one that had begun before the recording does not count
    std::atomic<uint64_t> begun{0}, ended{0}, full_begun{0}, full_ended{0};
  };
  void pass(const Spooler::Pass& pass);
  void sweep(uint64_t now_ns) WALKABOUT_REQUIRES(sweeping_);
  void adapt() WALKABOUT_REQUIRES(sweeping_);
  wire::Sweep counted() const;

  clr::ComPtr<clr::ICorProfilerInfo13> info_;
  LiveObjects objects_;
  Collections collections_;
  std::atomic<uint32_t> level_{0};     // one in 2^level is followed
  std::atomic<uint32_t> followed_{0};  // since the last sweep
  base::Mutex sweeping_;
  bool stopped_ WALKABOUT_GUARDED_BY(sweeping_) = false;
  uint64_t swept_ns_ WALKABOUT_GUARDED_BY(sweeping_) = 0;
  wire::Sweep last_ WALKABOUT_GUARDED_BY(sweeping_);
  std::optional<wire::Sweep> found_ WALKABOUT_GUARDED_BY(sweeping_);  // not emitted yet; at swept_ns_
};

}  // namespace walkabout::agent
