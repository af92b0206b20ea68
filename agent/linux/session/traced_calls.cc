#include "agent/linux/session/traced_calls.h"

#include "wire/sources.h"

namespace walkabout::agent {

TracedCalls::TracedCalls(const std::vector<ChosenSource>& sources) : tracing_(*this, nullptr) {
  for (const ChosenSource& chosen : sources) {
    if (chosen.choice.id == wire::source_id("call")) source_ = static_cast<CallSource*>(chosen.source.get());
  }
}

base::Status TracedCalls::begin(const Options& options, uint64_t monotonic_start_ns) {
  constexpr double kPpm = 1e6;
  TraceOptions how;
  how.latency_ns = options.latency_ns;
  how.keeps_slow = options.keeps_slow;
  how.budget = options.trace_budget_ppm / kPpm;
  return tracing_.begin(how, monotonic_start_ns);
}

base::ThreadId TracedCalls::thread_of(uint64_t tid) {
  return threads_ == nullptr ? base::ThreadId() : threads_->id_of(static_cast<pid_t>(tid));
}

void TracedCalls::describe(uint32_t /*method*/, std::span<const uint8_t> /*values*/,
                           wire::TracedCall* /*call*/) {}

}  // namespace walkabout::agent
