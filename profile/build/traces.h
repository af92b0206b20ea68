// From the records of traced calls to profile::Traces, and to samples of the Profile, so that every report
// and format has them too. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "profile/build/builder.h"
#include "profile/model/profile.h"
#include "recording/call_totals.h"
#include "recording/trace_totals.h"

namespace walkabout::profile {

// What a recording has of them.
struct RecordedTraces {
  recording::TraceTotals traces;
  recording::CallTotals methods;
  std::unordered_map<base::ThreadId, uint32_t> threads;  // of the Profile
  uint64_t looked_us = 0;  // of a process that ran already: when all methods were asked for
};

// Adds them to a profile that is built. filter: as BuildOptions has it.
void add_traces(RecordedTraces recorded, const Filter& filter, Profile& profile);

// A Builder that reads traced calls besides. In place of Builder::build() there is build_all().
class TracedBuilder : public Builder {
 public:
  explicit TracedBuilder(BuildOptions options) : TracedBuilder(std::move(options), std::nullopt) {}
  TracedBuilder(BuildOptions options, std::optional<Names> names)
      : Builder(options, std::move(names)), filter_(std::move(options.filter)) {}

  void on_session(const wire::Session& r) override;
  void on_source(const wire::Source& r) override;
  void on_counted_method(const wire::CountedMethod& r) override { recorded_.methods.add(r); }
  void on_call_pattern(const wire::CallPattern& r) override { recorded_.methods.add(r); }
  void on_call_state(const wire::CallState& r) override;
  void on_trace_nodes(const wire::TraceNodes& r) override { recorded_.traces.add(r); }
  void on_trace_times(const wire::TraceTimes& r) override;
  void on_trace_spread(const wire::TraceSpread& r) override { recorded_.traces.add(r); }
  void on_traced_call(const wire::TracedCall& r) override;
  void on_trace_state(const wire::TraceState& r) override;

  Profile build_all(std::string damage);

 private:
  void meet(base::ThreadId thread) { recorded_.threads[thread] = thread_index(thread); }

  const Filter filter_;
  RecordedTraces recorded_;
  bool attached_ = false;
  bool asked_ = false;  // calls were to be traced, whether there were any or not
};

// Whether calls were traced. Reads the recording's beginning; of one of counted calls all of it.
bool has_traces(const std::string& path);

}  // namespace walkabout::profile
