#include "formats/chrome_trace.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/call_lanes.h"
#include "formats/html_moments.h"
#include "profile/names/label_text.h"

namespace walkabout::formats {
namespace {

using profile::Profile;
using profile::SlowCall;
using profile::Traces;
using Json = nlohmann::ordered_json;

constexpr size_t kMostOfAnEvent = 100'000;
constexpr uint64_t kLeastCounterUs = 10'000;
constexpr uint64_t kMostCounters = 2'000;
constexpr size_t kMostFramesOfStack = 200;

double us(uint64_t ns) { return static_cast<double>(ns) / 1000; }

class ChromeTrace {
 public:
  ChromeTrace(const Profile& profile, std::ostream& out) : profile_(profile), out_(out) {}

  void write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":"
         << text({{"program", profile_.session.command_line},
                  {"runtime", profile_.session.runtime},
                  {"written by", "walkabout"}})
         << ",\"traceEvents\":[";
    names();
    for (const Traces& traces : profile_.traces) calls(traces);
    moments();
    counters();
    out_ << "]}\n";
  }

 private:
  // Names may hold any bytes: what is no UTF-8 is replaced.
  static std::string text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void event(const Json& json) {
    out_ << (is_first_ ? "\n" : ",\n") << text(json);
    is_first_ = false;
  }

  uint32_t pid() const { return profile_.session.pid; }
  uint32_t tid(uint32_t thread) const {
    return thread < profile_.threads.size() ? profile_.threads[thread].tid : 0;
  }

  void names() {
    event({{"ph", "M"},
           {"name", "process_name"},
           {"pid", pid()},
           {"args", {{"name", profile_.session.command_line}}}});
    for (const profile::Thread& thread : profile_.threads)
      event({{"ph", "M"},
             {"name", "thread_name"},
             {"pid", pid()},
             {"tid", thread.tid},
             {"args", {{"name", thread.name}}}});
  }

  Json args_of(const Traces& traces, const SlowCall& call) const {
    Json args = Json::object();
    for (const wire::TracedValue& value : call.arguments)
      args[value.name.empty() ? "argument" : value.name] = value.text + (value.cut ? "…" : "");
    const std::string result = profile::result_text(call);
    if (call.outcome == wire::CallOutcome::kException)
      args["exception"] = result.empty() ? "not known" : result;
    else if (!result.empty())
      args["result"] = result;
    if (call.outcome == wire::CallOutcome::kNotEnded) args["ended"] = "no";
    if (traces.knows_cpu()) args["cpu_us"] = us(call.cpu_ns);
    if (call.waiting_ns != 0) args["waiting_us"] = us(call.waiting_ns);
    if (call.ended_in != call.thread) args["ended in thread"] = tid(call.ended_in);
    std::string stack;
    size_t frames = 0;
    for (uint32_t node = call.stack; node != 0 && frames < kMostFramesOfStack; ++frames) {
      stack += (stack.empty() ? "" : "\n") + profile_.frames[profile_.nodes[node].frame].name;
      node = profile_.nodes[node].parent;
    }
    if (!stack.empty()) args["stack"] = stack;
    return args;
  }

  // Async slices of one id are nested: those in another have its id.
  std::unordered_map<uint64_t, uint64_t> outermost_async(const Traces& traces) const {
    std::unordered_map<uint64_t, uint64_t> ids;  // by number
    for (const SlowCall& call : traces.calls) {
      if (!is_async(call)) continue;
      const auto caller = ids.find(call.caller);
      ids.emplace(call.number, call.caller == 0 || caller == ids.end() ? call.number : caller->second);
    }
    return ids;
  }

  void calls(const Traces& traces) {
    const std::unordered_map<uint64_t, uint64_t> ids = outermost_async(traces);
    for (const CallLane& lane : call_lanes(traces)) {
      for (const uint32_t i : lane.calls) {
        const SlowCall& call = traces.calls[i];
        const std::string& name = traces.methods[traces.nodes[call.node].method].name;
        Json slice{
            {"ph", lane.is_async ? "b" : "X"}, {"cat", "call"},          {"name", name}, {"pid", pid()},
            {"tid", tid(call.thread)},         {"ts", us(call.begin_ns)}};
        if (lane.is_async)
          slice["id"] = std::to_string(ids.at(call.number));
        else
          slice["dur"] = us(call.wall_ns);
        slice["args"] = args_of(traces, call);
        event(slice);
        if (!lane.is_async) continue;
        slice.erase("args");
        slice["ph"] = "e";
        slice["ts"] = us(end_of(call));
        event(slice);
      }
    }
  }

  void moments() {
    const HtmlMoments all = html_moments(profile_, kMostOfAnEvent);
    for (const HtmlMoment& moment : all.all) {
      const wire::Source& source = profile_.sources[all.lanes[moment.lane].source];
      if (source.name == profile::kSlowCallSource) continue;  // a slice has more of it
      Json args = Json::object();
      const std::vector<uint64_t>& set = profile_.label_sets[moment.labels];
      for (size_t i = 0; i < std::min(set.size(), source.labels.size()); ++i) {
        const std::string label = profile::label_text(profile_, source.labels[i], set[i]);
        if (!label.empty()) args[source.labels[i].name] = label;
      }
      const uint64_t begin = moment.time_us - std::min(moment.took_us, moment.time_us);
      Json json{{"ph", moment.took_us == 0 ? "i" : "X"},
                {"cat", "runtime"},
                {"name", source.name},
                {"pid", pid()},
                {"tid", tid(moment.thread)},
                {"ts", begin}};
      if (moment.took_us == 0)
        json["s"] = "t";
      else
        json["dur"] = moment.time_us - begin;
      json["args"] = std::move(args);
      event(json);
    }
  }

  // A sample's weight counts where its sample is.
  void counters() {
    const uint64_t span = std::max(kLeastCounterUs, profile_.duration_us / kMostCounters);
    std::map<uint64_t, uint64_t> used;  // by span
    for (const profile::Sample& sample : profile_.samples) {
      const bool is_cpu = profile_.sources.empty() || profile_.sources[sample.source].id == wire::kCpuSource;
      if (is_cpu) used[sample.time_us / span] += sample.weight;
    }
    for (auto at = used.begin(); at != used.end(); ++at) {
      counter(at->first * span, us(at->second) / static_cast<double>(span));
      const auto next = std::next(at);
      if (next == used.end() || next->first != at->first + 1) counter((at->first + 1) * span, 0);
    }
  }
  void counter(uint64_t time_us, double cores) {
    event({{"ph", "C"}, {"name", "CPU"}, {"pid", pid()}, {"ts", time_us}, {"args", {{"cores", cores}}}});
  }

  const Profile& profile_;
  std::ostream& out_;
  bool is_first_ = true;
};

}  // namespace

base::Status write_chrome_trace(const Profile& profile, std::ostream& out) {
  ChromeTrace(profile, out).write();
  return out.good() ? base::Status() : base::Status::error("cannot write the trace: the output failed");
}

}  // namespace walkabout::formats
