// The source "call": calls of traced methods that took long, each with its stack. What is long, and which
// call it was, says agent/trace; there is none without `walkabout trace`.
#pragma once

#include "agent/sources/event_capture.h"
#include "agent/sources/source.h"

namespace walkabout::agent {

class CallSource final : public Source {
 public:
  CallSource();

  wire::Source declaration(uint64_t period_ns) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override { capture_.end(); }

  // From a probe (agent/trace/traced_call.h), on the thread that calls. None: it is not known, or the source
  // is not on.
  base::ThreadId this_thread() const;
  // A sample of the call of this number.
  void on_slow_call(uint64_t call);

 private:
  EventCapture capture_;
};

}  // namespace walkabout::agent
