// Gets the records of a recording one by one, in order. References are valid during the call only. One
// thread.
#pragma once

#include <cstdint>

#include "wire/records.h"

namespace walkabout::recording {

class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  virtual void on_session(const wire::Session& /*record*/) {}
  // None comes for the one source of a recording before wire::kFirstVersionWithSources (wire::cpu_source).
  virtual void on_source(const wire::Source& /*record*/) {}
  virtual void on_text(const wire::Text& /*record*/) {}
  virtual void on_thread(const wire::Thread& /*record*/) {}
  virtual void on_module(const wire::Module& /*record*/) {}
  virtual void on_method(const wire::Method& /*record*/) {}
  virtual void on_jit_code(const wire::JitCode& /*record*/) {}
  virtual void on_method_range(const wire::MethodRange& /*record*/) {}
  // first_id: the id of the first of these nodes. Every parent is 0 or below the id of its node. Where
  // record.new_tree is set, the nodes declared before are referred to no more, and ids begin at 1.
  virtual void on_nodes(const wire::Nodes& /*record*/, uint32_t /*first_id*/) {}
  // All columns have the same length (end and flags are filled in), and values and labels as many columns as
  // their source has; every stack is 0 or a node declared before.
  virtual void on_samples(const wire::Samples& /*record*/) {}
  virtual void on_sweep(const wire::Sweep& /*record*/) {}
  virtual void on_snapshot(const wire::Snapshot& /*record*/) {}
  virtual void on_oracle(const wire::Oracle& /*record*/) {}
  virtual void on_thread_end(const wire::ThreadEnd& /*record*/) {}
  virtual void on_counters(const wire::Counters& /*record*/) {}
  virtual void on_message(const wire::Message& /*record*/) {}
  virtual void on_rate(const wire::Rate& /*record*/) {}
  virtual void on_end(const wire::End& /*record*/) {}
  virtual void on_assembly(const wire::Assembly& /*record*/) {}
  virtual void on_il_map(const wire::IlMap& /*record*/) {}
  virtual void on_source_lines(const wire::SourceLines& /*record*/) {}
  virtual void on_inline_tree(const wire::InlineTree& /*record*/) {}
  virtual void on_native_lines(const wire::NativeLines& /*record*/) {}
  virtual void on_counted_method(const wire::CountedMethod& /*record*/) {}
  virtual void on_call_counts(const wire::CallCounts& /*record*/) {}
  virtual void on_caller_counts(const wire::CallerCounts& /*record*/) {}
  virtual void on_call_pattern(const wire::CallPattern& /*record*/) {}
  virtual void on_call_state(const wire::CallState& /*record*/) {}
  virtual void on_trace_nodes(const wire::TraceNodes& /*record*/) {}
  virtual void on_trace_times(const wire::TraceTimes& /*record*/) {}
  virtual void on_trace_spread(const wire::TraceSpread& /*record*/) {}
  virtual void on_traced_call(const wire::TracedCall& /*record*/) {}
  virtual void on_trace_state(const wire::TraceState& /*record*/) {}
  virtual void on_native_symbols(const wire::NativeSymbols& /*record*/) {}
};

}  // namespace walkabout::recording
