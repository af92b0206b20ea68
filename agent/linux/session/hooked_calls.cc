#include "agent/linux/session/hooked_calls.h"

#include <utility>

#include "base/clock.h"

namespace walkabout::agent {

base::Status HookedCalls::begin(const Options& options, uint64_t monotonic_start_ns, TracedCalls& traced) {
  start_ns_ = monotonic_start_ns;
  const base::Lock lock(emitting_);
  tracing_ = &traced.tracing();
  return traced.begin(options, info_, monotonic_start_ns);
}

void HookedCalls::emit(uint64_t time_us, std::string* records) {
  hooks_.methods().emit(time_us, records);
  const base::Lock lock(emitting_);
  if (tracing_ != nullptr)
    tracing_->emit(time_us, false, records);
  else
    *records += std::exchange(last_, {});
}

void HookedCalls::stop() {
  const base::Lock lock(emitting_);
  if (tracing_ == nullptr) return;
  tracing_->end((base::monotonic_ns() - start_ns_) / 1000, &last_);
  tracing_ = nullptr;
}

}  // namespace walkabout::agent
