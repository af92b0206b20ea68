// The source "cpu": a sample for every interval of a thread's CPU time. Its clocks are the thread table's,
// its samples the signal handler's (agent/linux/cpu_clock.h, agent/linux/handler), or the sampler's
// (agent/windows/session/sampler.h); where it is off no thread has a clock.
#pragma once

#include "agent/sources/source.h"

namespace walkabout::agent {

class CpuSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override {
  }  // the clocks stop with the threads: all of a thread's time is counted to one moment
};

}  // namespace walkabout::agent
