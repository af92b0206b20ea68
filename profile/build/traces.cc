#include "profile/build/traces.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "profile/build/calls.h"
#include "profile/build/trace_figures.h"
#include "profile/names/origin.h"
#include "profile/query/focus.h"
#include "profile/query/view.h"
#include "recording/reader.h"

namespace walkabout::profile {
namespace {

using recording::TraceTotals;

constexpr size_t kMostSourcesOfProfile = 250;

wire::Source traced_source() {
  wire::Source source;
  source.id = kTracedSource;
  source.name = kTracedSourceName;
  source.values = {{"traced time", "nanoseconds", wire::Adding::kSum},
                   {"traced CPU time", "nanoseconds", wire::Adding::kSum},
                   {"calls", "count", wire::Adding::kSum},
                   {"exceptions", "count", wire::Adding::kSum},
                   {"allocated", "bytes", wire::Adding::kSum}};
  source.clock = static_cast<uint32_t>(wire::Clock::kWall);
  return source;
}

// Shares out a sum over parts in proportion to them: `of` is what the parts come to.
class Share {
 public:
  Share(uint64_t sum, uint64_t of) : sum_(sum), of_(of) {}
  uint64_t next(uint64_t part) {
    seen_ += part;
    uint64_t now = sum_;
    if (seen_ < of_) {
      const double share = static_cast<double>(seen_) / static_cast<double>(of_);
      now = static_cast<uint64_t>(std::min(static_cast<double>(sum_) * share, kMost));
    }
    now = std::clamp(now, given_, sum_);
    return now - std::exchange(given_, now);
  }

 private:
  static constexpr double kMost = 1e19;  // an integer can hold it

  uint64_t sum_, of_;
  uint64_t seen_ = 0, given_ = 0;
};

// How far apart the times usually are, beginning with 0; microseconds.
uint64_t usual_step(const std::vector<TraceTotals::Change>& changes) {
  std::vector<uint64_t> times{0}, steps;
  for (const TraceTotals::Change& change : changes) times.push_back(change.time_us);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

class TraceAdder {
 public:
  TraceAdder(RecordedTraces recorded, const Filter& filter, Profile& profile)
      : recorded_(std::move(recorded)), filter_(filter), profile_(profile) {}

  void add() {
    traces_.session = profile_.session;
    traces_.state = recorded_.traces.state();
    traces_.choice = recorded_.methods.state();
    traces_.left_out = recorded_.traces.left_out();
    traces_.complete = profile_.complete;
    traces_.duration_us = profile_.duration_us - std::min(recorded_.looked_us, profile_.duration_us);
    for (const auto& [number, pattern] : recorded_.methods.patterns()) traces_.patterns.push_back(pattern);
    add_methods();
    add_nodes();
    const std::vector<RowFigures> rows = without_probes(recorded_.traces, timed_shares(recorded_.traces));
    sum_up(recorded_.traces, rows, traces_);
    add_threads(rows);
    add_calls();
    add_samples(rows);
    profile_.traces.push_back(std::move(traces_));
  }

 private:
  void add_methods() {
    Origins origins;
    origins.learn(CodeTable(), profile_.session.command_line);
    std::map<std::string, Origin, std::less<>> known;  // by module: what the stacks' frames know of it
    for (const DisplayFrame& frame : profile_.frames) {
      if (frame.kind == Kind::kManaged && !frame.module.empty()) known.emplace(frame.module, frame.origin);
    }
    const std::vector<uint64_t>& untimed = traces_.state.untimed;
    for (CountedCalls& one : calls_by_index(recorded_.methods)) {
      TracedMethod method;
      DisplayFrame frame{one.name, one.raw_name, one.module, Kind::kManaged, true};
      frame.own = one.own;
      const auto origin = known.find(one.module);
      frame.origin = origin != known.end() ? origin->second : origins.of(frame);
      method.name = std::move(one.name);
      method.match = std::move(one.match);
      method.module = std::move(one.module);
      method.problem = std::move(one.problem);
      method.untimed = std::binary_search(untimed.begin(), untimed.end(), traces_.methods.size());
      method.frame = static_cast<uint32_t>(profile_.frames.size());
      profile_.frames.push_back(std::move(frame));
      traces_.methods.push_back(std::move(method));
    }
  }

  // A method that was never declared has a place behind the others.
  uint32_t method_of(uint32_t index) {
    if (index < declared_) return index;
    if (traces_.methods.size() == declared_) {
      DisplayFrame frame{"[methods without a name]", "[methods without a name]", "", Kind::kOther, true};
      TracedMethod method;
      method.name = frame.name;
      method.frame = static_cast<uint32_t>(profile_.frames.size());
      profile_.frames.push_back(std::move(frame));
      traces_.methods.push_back(std::move(method));
    }
    return static_cast<uint32_t>(declared_);
  }

  void add_nodes() {
    declared_ = traces_.methods.size();
    const std::vector<TraceTotals::Node>& nodes = recorded_.traces.nodes();
    traces_.nodes.resize(nodes.size());
    for (size_t i = 1; i < nodes.size(); ++i) {
      TracedNode& node = traces_.nodes[i];
      node.parent = nodes[i].parent;
      node.method = method_of(nodes[i].method);
      node.node = static_cast<uint32_t>(profile_.nodes.size());
      profile_.nodes.push_back({traces_.nodes[node.parent].node, traces_.methods[node.method].frame});
    }
    if (!profile_.folded.empty()) profile_.folded.resize(profile_.nodes.size());
  }

  uint32_t thread_of(base::ThreadId id) const {
    const auto thread = recorded_.threads.find(id);
    return thread == recorded_.threads.end() ? 0 : thread->second;
  }

  void add_threads(const std::vector<RowFigures>& rows) {
    std::map<uint32_t, TracedThread> threads;
    for (size_t i = 0; i < rows.size(); ++i) {
      const TraceTotals::Row& row = recorded_.traces.rows()[i];
      const uint32_t index = thread_of(row.thread);
      TracedThread& thread = threads[index];
      thread.thread = index;
      thread.calls += row.figures.calls;
      thread.self += rows[i].self;
    }
    for (const auto& [index, thread] : threads) traces_.threads.push_back(thread);
    std::stable_sort(traces_.threads.begin(), traces_.threads.end(),
                     [](const TracedThread& a, const TracedThread& b) { return a.self > b.self; });
  }

  // By number of the call.
  std::unordered_map<uint64_t, uint32_t> stacks() const {
    std::unordered_map<uint64_t, uint32_t> nodes;
    const auto& sources = profile_.sources;
    const auto source = std::find_if(sources.begin(), sources.end(),
                                     [](const wire::Source& s) { return s.name == kSlowCallSource; });
    if (source == sources.end()) return nodes;
    const auto label = std::find_if(source->labels.begin(), source->labels.end(),
                                    [](const wire::SourceLabel& l) { return l.name == kSlowCallLabel; });
    const auto place = static_cast<size_t>(label - source->labels.begin());
    for (const Sample& sample : profile_.samples) {
      if (sample.source != source - sources.begin()) continue;
      const std::vector<uint64_t>& labels = profile_.label_sets[sample.labels];
      if (place < labels.size()) nodes.emplace(labels[place], sample.node);
    }
    return nodes;
  }

  void add_calls() {
    const std::unordered_map<uint64_t, uint32_t> nodes = stacks();
    for (const wire::TracedCall& from : recorded_.traces.calls()) {
      SlowCall call;
      call.number = from.call;
      call.caller = from.caller;
      call.begin_ns = from.begin_ns;
      call.wall_ns = from.wall_ns;
      call.cpu_ns = from.cpu_ns;
      call.waiting_ns = from.waiting_ns;
      call.node = static_cast<uint32_t>(from.node);
      call.thread = thread_of(from.thread);
      call.ended_in = from.ended_in.valid() ? thread_of(from.ended_in) : call.thread;
      call.outcome = from.outcome <= static_cast<uint32_t>(wire::CallOutcome::kNotEnded)
                         ? static_cast<wire::CallOutcome>(from.outcome)
                         : wire::CallOutcome::kReturned;
      const auto node = nodes.find(from.call);
      call.stack = node == nodes.end() ? 0 : node->second;
      call.arguments = from.arguments;
      call.result = from.result;
      traces_.calls.push_back(std::move(call));
    }
    std::stable_sort(traces_.calls.begin(), traces_.calls.end(),
                     [](const SlowCall& a, const SlowCall& b) { return a.begin_ns < b.begin_ns; });
  }

  // CPU time is the first of a profile's sources where it was sampled; else this is.
  uint8_t add_source() {
    const auto is_cpu = [](const wire::Source& s) { return s.name == "cpu"; };
    std::vector<wire::Source>& sources = profile_.sources;
    if (std::any_of(sources.begin(), sources.end(), is_cpu)) {
      sources.push_back(traced_source());
      return static_cast<uint8_t>(sources.size() - 1);
    }
    sources.insert(sources.begin(), traced_source());
    for (Sample& sample : profile_.samples) ++sample.source;
    return 0;
  }

  // By traced node: whether a focus leaves it.
  std::vector<bool> focused_nodes() const {
    const Focus focus(filter_.focus);
    std::vector<bool> focused(traces_.nodes.size(), focus.all());
    for (size_t i = 1; !focus.all() && i < focused.size(); ++i) {
      const TracedNode& node = traces_.nodes[i];
      focused[i] = focused[node.parent] || focus.has(traces_.methods[node.method].name);
    }
    return focused;
  }

  void add_samples(const std::vector<RowFigures>& rows) {
    if (profile_.sources.size() >= kMostSourcesOfProfile) return;
    const uint8_t source = add_source();
    if (!filter_.event.empty() && filter_.event != kTracedSourceName) return;
    const std::vector<bool> focused = focused_nodes();
    const std::vector<TraceTotals::Change> changes = recorded_.traces.take_changes();
    profile_.sources[source].period = 1000 * usual_step(changes);
    for (size_t begin = 0, end = 0; begin < changes.size(); begin = end) {
      while (end < changes.size() && changes[end].row == changes[begin].row) ++end;
      const TraceTotals::Row& row = recorded_.traces.rows()[changes[begin].row];
      if (!focused[row.node]) continue;
      std::array<uint64_t, 5> sums{};
      for (size_t i = begin; i < end; ++i) {
        for (size_t part = 0; part < sums.size(); ++part) sums[part] += changes[i].parts[part];
      }
      const RowFigures& net = rows[changes[begin].row];
      Share self(net.self, sums[1]), cpu(net.self_cpu, sums[2]);
      for (size_t i = begin; i < end; ++i)
        add_sample(changes[i], row, source, self.next(changes[i].parts[1]), cpu.next(changes[i].parts[2]));
    }
    std::stable_sort(profile_.samples.begin(), profile_.samples.end(),
                     [](const Sample& a, const Sample& b) { return a.time_us < b.time_us; });
  }

  void add_sample(const TraceTotals::Change& change, const TraceTotals::Row& row, uint8_t source,
                  uint64_t self, uint64_t cpu) {
    const uint64_t time_us = std::min(change.time_us, profile_.duration_us);
    if (time_us < filter_.from_us || time_us >= filter_.to_us) return;
    Sample sample{time_us, self, thread_of(row.thread), traces_.nodes[row.node].node};
    sample.source = source;
    sample.count = static_cast<uint32_t>(std::min<uint64_t>(change.parts[0], UINT32_MAX));
    sample.more = static_cast<uint32_t>(profile_.more_values.size());
    for (const uint64_t value : {cpu, change.parts[0], change.parts[3], change.parts[4]})
      profile_.more_values.push_back(value);
    profile_.samples.push_back(sample);
  }

  RecordedTraces recorded_;
  const Filter& filter_;
  Profile& profile_;
  Traces traces_;
  size_t declared_ = 0;  // methods
};

}  // namespace

void add_traces(RecordedTraces recorded, const Filter& filter, Profile& profile) {
  TraceAdder(std::move(recorded), filter, profile).add();
  if (!is_cpu(profile, view_of(profile))) count_samples(profile);
}

void TracedBuilder::on_session(const wire::Session& r) {
  attached_ = r.attached;
  Builder::on_session(r);
}

void TracedBuilder::on_source(const wire::Source& r) {
  asked_ = asked_ || r.name == kSlowCallSource;
  Builder::on_source(r);
}

void TracedBuilder::on_call_state(const wire::CallState& r) {
  recorded_.methods.add(r);
  if (attached_ && r.looked && recorded_.looked_us == 0) recorded_.looked_us = r.time_us;
  seen(r.time_us);
}

void TracedBuilder::on_trace_times(const wire::TraceTimes& r) {
  meet(r.thread);
  recorded_.traces.add(r);
  seen(r.time_us);
}

void TracedBuilder::on_traced_call(const wire::TracedCall& r) {
  meet(r.thread);
  if (r.ended_in.valid()) meet(r.ended_in);
  recorded_.traces.add(r);
}

void TracedBuilder::on_trace_state(const wire::TraceState& r) {
  recorded_.traces.add(r);
  seen(r.time_us);
}

Profile TracedBuilder::build_all(std::string damage) {
  Profile profile = build(std::move(damage));
  if (asked_ || recorded_.traces.any()) add_traces(std::move(recorded_), filter_, profile);
  return profile;
}

bool has_traces(const std::string& path) {
  struct Beginning : recording::RecordVisitor {
    void on_source(const wire::Source& r) override { found = found || r.name == kSlowCallSource; }
    void on_samples(const wire::Samples&) override { known = true; }
    void on_trace_nodes(const wire::TraceNodes&) override { found = true; }
    void on_trace_state(const wire::TraceState&) override { found = true; }
    bool known = false, found = false;
  } beginning;
  const base::Result<recording::ReadSummary> ended =
      recording::read_recording(path, beginning, [&beginning](const recording::RawRecord&) {
        return beginning.known || beginning.found ? base::Status::error("it is known") : base::Status();
      });
  static_cast<void>(ended);
  return beginning.found;
}

}  // namespace walkabout::profile
