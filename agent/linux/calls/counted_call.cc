#include "agent/linux/calls/counted_call.h"

#include <atomic>

namespace walkabout::agent {

constinit thread_local uint64_t* t_call_counters = nullptr;

// One instruction adds: the spooler may read meanwhile, and nobody else writes.
extern "C" void walkabout_count_call(uint64_t method) {
  uint64_t* counters = t_call_counters;
  if (__builtin_expect(counters == nullptr, 0)) return count_first_call(method);
  const std::atomic_ref<uint64_t> counter(counters[method]);
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace walkabout::agent
