// What a recording of every managed call has beside the others (`trace --all`): the hooks, and the tracing
// that they tell. Stays as long as the process: the runtime asks the hooks.
//
// Made and set while the profiler is initialized; begin() when the recording is prepared; emit(): the
// spooler.
#pragma once

#include <memory>

#include "agent/hooks/method_hooks.h"
#include "agent/linux/thread_table.h"
#include "agent/shared/options.h"
#include "agent/trace/call_tracing.h"

namespace walkabout::agent {

class HookedCalls final : public TraceReader {
 public:
  HookedCalls(clr::ICorProfilerInfo12* info, const Options& options);

  Hooks& hooks() { return hooks_; }
  // threads: made before the first call.
  base::Status begin(const Options& options, uint64_t monotonic_start_ns,
                     const std::unique_ptr<ThreadTable>& threads);
  void emit(uint64_t time_us, std::string* records);

  base::ThreadId this_thread() override;
  base::ThreadId thread_of(uint64_t tid) override;
  void on_slow_call(uint64_t) override {}
  void describe(uint32_t, std::span<const uint8_t>, wire::TracedCall*) override {}

 private:
  Hooks hooks_;
  CallTracing tracing_;
  const std::unique_ptr<ThreadTable>* threads_ = nullptr;
};

}  // namespace walkabout::agent
