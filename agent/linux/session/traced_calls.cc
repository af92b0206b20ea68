#include "agent/linux/session/traced_calls.h"

#include <optional>
#include <utility>

#include "agent/trace/values/taken_values.h"
#include "clr/names/runtime_info.h"
#include "wire/sources.h"

namespace walkabout::agent {

TracedCalls::TracedCalls(const std::vector<ChosenSource>& sources, DescriptorHost& host)
    : switches_(host), tracing_(*this, &switches_) {
  for (const ChosenSource& chosen : sources) {
    if (chosen.choice.id == wire::source_id("call")) source_ = static_cast<CallSource*>(chosen.source.get());
  }
}

base::Status TracedCalls::begin(const Options& options, clr::ICorProfilerInfo12* info,
                                uint64_t monotonic_start_ns) {
  constexpr double kPpm = 1e6;
  TraceOptions how;
  how.all = options.trace_all;
  how.latency_ns = options.latency_ns;
  how.keeps_slow = options.keeps_slow;
  how.budget = options.trace_budget_ppm / kPpm;
  if (options.takes_values && options.keeps_slow) {
    if (const std::optional<clr::RuntimeVersion> version = clr::runtime_version(info))
      know_runtime_of_values(version->major);
    values_ = std::make_unique<values::CallValues>(info, values::Redaction::of_lines(options.redact),
                                                   traced_value_functions());
  }
  return tracing_.begin(how, monotonic_start_ns);
}

base::ThreadId TracedCalls::thread_of(uint64_t tid) {
  return threads_ == nullptr ? base::ThreadId() : threads_->id_of(static_cast<pid_t>(tid));
}

void TracedCalls::describe(uint32_t method, std::span<const uint8_t> values, wire::TracedCall* call) {
  if (values_ == nullptr) return;
  const bool returned = call->outcome == static_cast<uint32_t>(wire::CallOutcome::kReturned);
  values::ValueTexts texts = values_->texts(method, values, returned);
  call->arguments = std::move(texts.arguments);
  call->result = std::move(texts.result);
}

}  // namespace walkabout::agent
