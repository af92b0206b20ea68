// What the records of a stream hold so far, as far as the recovery of the rest needs it
// (collect/recovery.h). Feed it every record. One thread. Memory: about 60 bytes for each living thread, text
// and region of code of the current recording. Of earlier recordings in the same stream it keeps the sums of
// their counters, and how many samples each living thread had.
//
// An agent keeps an ended thread's ring and its sums until it has written what was in them, and writes
// nothing more before it has let go of them. So when it has counted twice since, there are none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "recording/call_totals.h"
#include "recording/visitor.h"
#include "wire/counters.h"
#include "wire/records.h"

namespace walkabout::cli {

class StreamState : public recording::RecordVisitor {
 public:
  void on_session(const wire::Session& r) override {
    add(counters, &before);
    counters = {};
    latest_us = 0;
    session = r;
    samples = 0;
    ended = false;
    code.clear();
    images.clear();
    ranges.clear();
    other_samples.clear();
    sources.clear();
    texts.clear();
    calls = {};
    earlier_samples_of = std::move(samples_of);  // threads that live on are emitted again
    samples_of.clear();
    earlier_others_of = std::move(others_of);
    others_of.clear();
    ended_lately_.clear();  // among them those that live on
    ended_before_.clear();
  }
  void on_source(const wire::Source& r) override { sources[r.id] = r; }
  void on_text(const wire::Text& r) override { texts.insert(r.id); }
  void on_thread(const wire::Thread& r) override {
    samples_of.try_emplace(r.id, earlier_samples(r.id));
    const auto [first, last] = of_thread(earlier_others_of, r.id);
    others_of.insert(first, last);
    highest_thread = std::max(highest_thread, r.id);
  }
  void on_module(const wire::Module& r) override {
    code.emplace(r.code, r.path.empty());
    if (r.kind == wire::ModuleKind::kReadyToRun) images.emplace(r.code, r);
  }
  void on_method(const wire::Method& r) override { highest_method = std::max(highest_method, r.id); }
  void on_jit_code(const wire::JitCode& r) override { code.emplace(r.code, !r.method.valid()); }
  void on_method_range(const wire::MethodRange& r) override { ranges[{r.module, r.begin}] = r.end; }
  void on_samples(const wire::Samples& r) override {
    if (!r.time_us.empty()) latest_us = std::max(latest_us, r.time_us.back());
    if (r.source == wire::kCpuSource) {
      samples_of[r.thread] += r.time_us.size();
      samples += r.time_us.size();
      return;
    }
    const OtherSamples key(r.thread, r.source, r.origin);
    others_of.try_emplace(key, earlier_others(key)).first->second += r.time_us.size();
    other_samples[r.source] += r.time_us.size();
    if (r.origin == wire::SampleOrigin::kTally) summed[r.source] += r.time_us.size();
  }
  void on_thread_end(const wire::ThreadEnd& r) override { ended_lately_.push_back(r.thread); }
  void on_counters(const wire::Counters& r) override {
    counters = r;
    latest_us = std::max(latest_us, r.time_us);
    for (const base::ThreadId thread : ended_before_) erase(thread);
    ended_before_ = std::exchange(ended_lately_, {});
  }
  void on_end(const wire::End& /*record*/) override { ended = true; }
  void on_counted_method(const wire::CountedMethod& r) override { calls.add(r); }
  void on_call_counts(const wire::CallCounts& r) override { calls.add(r); }
  void on_call_pattern(const wire::CallPattern& r) override { calls.add(r); }
  void on_call_state(const wire::CallState& r) override { calls.add(r); }

  // Whether a reader can name the frame's code (native code: its image).
  bool has_name(wire::Frame frame) const {
    const auto known = code.find(frame.code());
    if (!frame.has_code()) return true;
    if (known == code.end() || known->second) return false;
    if (frame.kind() != wire::FrameKind::kReadyToRun) return true;
    const auto after = ranges.upper_bound({frame.code(), frame.offset()});
    if (after == ranges.begin()) return false;
    const auto& [begin, end] = *std::prev(after);
    return begin.first == frame.code() && frame.offset() <= end;  // a return address may be the method's end
  }

  bool knows(base::ThreadId thread) const { return samples_of.count(thread) != 0; }
  // Samples of a thread and of kCpuSource in the whole stream.
  uint64_t stream_samples_of(base::ThreadId thread) const {
    const auto known = samples_of.find(thread);
    return known != samples_of.end() ? known->second : earlier_samples(thread);
  }
  // The same of any source, and of one origin.
  uint64_t stream_samples_of(base::ThreadId thread, base::SourceId source, wire::SampleOrigin origin) const {
    if (source == wire::kCpuSource)
      return origin == wire::SampleOrigin::kTick ? stream_samples_of(thread) : 0;
    const OtherSamples key(thread, source, origin);
    const auto known = others_of.find(key);
    return known != others_of.end() ? known->second : earlier_others(key);
  }

  base::ThreadId highest_thread;  // of the whole stream
  base::MethodId highest_method;  // likewise
  wire::Session session;
  wire::Counters counters;                         // the last
  uint64_t latest_us = 0;                          // of samples and counters
  std::map<base::SourceId, wire::Source> sources;  // of this recording
  std::unordered_set<base::TextId> texts;          // likewise
  uint64_t samples = 0;                            // of kCpuSource
  std::map<base::SourceId, uint64_t> other_samples;
  std::map<base::SourceId, uint64_t> summed;  // of them: without stacks, so no attempts of a lane
  bool ended = false;
  recording::CallTotals calls;  // of this recording
  wire::Counters before;        // sums over the recordings before this one
  std::unordered_map<base::ThreadId, uint64_t>
      samples_of;  // in the whole stream; the threads of this recording
  std::unordered_map<base::ThreadId, uint64_t> earlier_samples_of;  // those of the one before
  // Of other sources, the same two.
  using OtherSamples = std::tuple<base::ThreadId, base::SourceId, wire::SampleOrigin>;
  std::map<OtherSamples, uint64_t> others_of, earlier_others_of;
  std::unordered_map<base::CodeId, bool> code;                   // true: declared without a name
  std::unordered_map<base::CodeId, wire::Module> images;         // ready-to-run
  std::map<std::pair<base::CodeId, uint32_t>, uint32_t> ranges;  // (module, begin) → end

 private:
  using OtherCounts = std::map<OtherSamples, uint64_t>;
  using Entry = OtherCounts::iterator;

  std::vector<base::ThreadId> ended_lately_;  // since the last Counters
  std::vector<base::ThreadId> ended_before_;  // since those before them

  static std::pair<Entry, Entry> of_thread(OtherCounts& counts, base::ThreadId thread) {
    const OtherSamples from(thread, base::SourceId(), wire::SampleOrigin::kTick);
    const OtherSamples to(base::ThreadId(thread.value + 1), base::SourceId(), wire::SampleOrigin::kTick);
    return std::pair(counts.lower_bound(from), counts.lower_bound(to));
  }
  uint64_t earlier_samples(base::ThreadId thread) const {
    const auto earlier = earlier_samples_of.find(thread);
    return earlier == earlier_samples_of.end() ? 0 : earlier->second;
  }
  uint64_t earlier_others(const OtherSamples& key) const {
    const auto earlier = earlier_others_of.find(key);
    return earlier == earlier_others_of.end() ? 0 : earlier->second;
  }
  void erase(base::ThreadId thread) {
    samples_of.erase(thread);
    const auto [first, last] = of_thread(others_of, thread);
    others_of.erase(first, last);
  }
  template <typename Account>
  static void add_account(const Account& from, Account* to) {
    to->attempts += from.attempts;
    wire::add_drops(from.drops, &to->drops);
  }
  static void add(const wire::Counters& from, wire::Counters* to) {
    add_account(from, to);
    for (const wire::SourceCounters& source : from.sources)
      add_account(source, &wire::entry_of(*to, source.source));
    to->handler_ns += from.handler_ns;
    to->walk_frames += from.walk_frames;
    to->timer_overruns += from.timer_overruns;
  }
};

}  // namespace walkabout::cli
