// The source "threads": managed threads as they come and go, and the thread pool's workers: how many there
// are, and why the pool changes their number.
//
// On the thread that raises the event: the new one, the one that ends, a worker, the pool's own.
#pragma once

#include <string_view>

#include "agent/sources/event_source.h"

namespace walkabout::agent {

class ThreadsSource final : public EventSource {
 public:
  ThreadsSource() : EventSource(wire::source_id("threads"), kShare) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  void on_event(const RuntimeEvent& event) override;
  void on_thread_end() override;

 private:
  void happened(std::u16string_view what, uint32_t workers);

  static constexpr uint32_t kShare = 10;
};

}  // namespace walkabout::agent
