#include "agent/linux/session/hooked_calls.h"

#include "agent/linux/handler/handler.h"

namespace walkabout::agent {

HookedCalls::HookedCalls(clr::ICorProfilerInfo12* info, const Options&)
    : hooks_(info, {}), tracing_(*this, nullptr) {}

base::Status HookedCalls::begin(const Options&, uint64_t monotonic_start_ns,
                                const std::unique_ptr<ThreadTable>& threads) {
  threads_ = &threads;
  TraceOptions how;
  how.all = true;
  return tracing_.begin(how, monotonic_start_ns);
}

void HookedCalls::emit(uint64_t time_us, std::string* records) {
  hooks_.methods().emit(time_us, records);
  tracing_.emit(time_us, false, records);
}

base::ThreadId HookedCalls::this_thread() {
  const ThreadSlot* slot = current_slot();
  return slot == nullptr ? base::ThreadId()
                         : base::ThreadId(slot->shared->thread.load(std::memory_order_relaxed));
}

base::ThreadId HookedCalls::thread_of(uint64_t tid) {
  return *threads_ == nullptr ? base::ThreadId() : (*threads_)->id_of(static_cast<pid_t>(tid));
}

}  // namespace walkabout::agent
