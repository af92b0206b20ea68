// The source "gc": how long the runtime stopped all managed threads, and how much of that it waited for the
// last of them; why, and for a collection its generation and kind; with the stack that stopped them. With
// workstation GC that is the thread whose allocation or call began the collection; with server GC one of the
// collector's.
//
// On the thread that stopped the others, when they go on. One such pause at a time.
#pragma once

#include <array>
#include <atomic>

#include "agent/sources/event_capture.h"
#include "agent/sources/source.h"
#include "clr/events/collection.h"

namespace walkabout::agent {

class GcSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override { capture_.end(); }
  void on_event(const RuntimeEvent& event) override;

 private:
  void pause_ended();

  static constexpr uint32_t kShare = 10;
  EventCapture capture_{wire::source_id("gc"), kShare};
  TextTable* texts_ = nullptr;
  // Of the pause that is under way. One thread writes them: the one that stops the others.
  std::atomic<uint64_t> began_ns_{0};  // 0: there is none
  std::atomic<uint64_t> stopped_ns_{0};
  std::atomic<uint32_t> suspend_reason_{0};
  // Of the collection that began last. A background collection has several pauses, and others come between.
  std::atomic<bool> collects_{false};  // it began in this pause
  std::atomic<uint32_t> generation_{0}, reason_{0};
  std::atomic<bool> background_{false};
};

}  // namespace walkabout::agent
