// What a recording of traced calls has beside the others: the tracing, and what that is told of threads, the
// stacks of slow calls, and values. Made when the recording is prepared; the source "call" is one of its.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agent/linux/thread_table.h"
#include "agent/shared/options.h"
#include "agent/sources/call.h"
#include "agent/sources/chosen_sources.h"
#include "agent/trace/call_tracing.h"
#include "base/result.h"

namespace walkabout::agent {

class TracedCalls final : public TraceReader {
 public:
  // REQUIRES: the source "call" is among them.
  explicit TracedCalls(const std::vector<ChosenSource>& sources);

  base::Status begin(const Options& options, uint64_t monotonic_start_ns);
  CallTracing& tracing() { return tracing_; }
  // Before the first call is traced.
  void know_threads(ThreadTable& threads) { threads_ = &threads; }

  base::ThreadId this_thread() override { return source_->this_thread(); }
  base::ThreadId thread_of(uint64_t tid) override;
  void on_slow_call(uint64_t call) override { source_->on_slow_call(call); }
  void describe(uint32_t method, std::span<const uint8_t> values, wire::TracedCall* call) override;

 private:
  CallSource* source_ = nullptr;
  ThreadTable* threads_ = nullptr;
  CallTracing tracing_;
};

}  // namespace walkabout::agent
