// The source "gc": how long the runtime stopped all managed threads, and how much of that it waited for the
// last of them; why, and for a collection its generation and kind; with the stack that stopped them. With
// workstation GC that is the thread whose allocation or call began the collection; with server GC one of the
// collector's. The thread that came last is the label "last thread"; where the runtime waited for it 1 ms or
// more, its stack has a sample of its own, whose value is that time, "waited for" (linux/late_thread.h).
//
// Behind each collection the sizes of the heap and of its generations have a sample of their own.
//
// On the thread that stopped the others, when they go on. Who wants to stop them during another's pause waits
// until that is over: its own pause begins then.
#pragma once

#include <array>
#include <atomic>

#include "agent/sources/culprits.h"
#include "agent/sources/event_source.h"
#include "agent/sources/gc_event.h"
#include "clr/events/collection.h"

namespace walkabout::agent {

class GcSource final : public EventSource {
 public:
  GcSource() : EventSource(wire::source_id("gc"), kShare, EventCapture::kAllLabels, GcEvent::kSizes) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override;
  void on_event(const RuntimeEvent& event) override;
  void on_suspension(Suspension what, clr::COR_PRF_SUSPEND_REASON reason) override;
  void on_thread_stopped(clr::ThreadID thread) override;

 private:
  // The pause that a thread makes.
  struct Pause {
    uint64_t began_ns;    // 0: it makes none
    uint64_t stopped_ns;  // all threads stand
    uint32_t reason;      // of the suspension
    bool collects;        // a collection began in it: then these are the collection's
    uint32_t generation, gc_reason;
    bool background;
    pid_t last_thread;  // 0: not known
  };
  void gc_begins(const RuntimeEvent& event);
  void heap_measured(const RuntimeEvent& event);
  void all_go_on(Pause& pause);
  // The four events of a suspension, on the thread that makes it.
  void suspended(const RuntimeEvent& event, Pause& pause);
  void pause_ended(Pause& pause);

  static constexpr uint32_t kShare = 10;
  PerThread<Pause> pauses_;
  LateSamples late_;
  std::atomic<uint64_t> last_end_ns_{0};  // of any pause
  // Of the collection that began last, by whichever thread of the collector.
  std::atomic<bool> collects_{false};  // in the pause that is under way
  std::atomic<uint32_t> generation_{0}, reason_{0};
  std::atomic<bool> background_{false};
  std::atomic<uint64_t> background_count_{0};  // of a background collection that is under way, + 1
};

}  // namespace walkabout::agent
