#include "formats/speedscope.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/call_lanes.h"
#include "profile/names/place_text.h"
#include "profile/query/tree.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

using profile::Profile;
using Json = nlohmann::json;

// Names may hold any bytes: what is no UTF-8 is replaced.
std::string text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

void write_frames(const Profile& profile, std::ostream& out) {
  out << "{\"frames\":[";
  const char* separator = "";
  for (const profile::DisplayFrame& frame : profile.frames) {
    Json json{{"name", frame.name}};
    if (!frame.module.empty()) json["file"] = frame.module;
    if (frame.place.known()) json["file"] = frame.place.file;
    if (frame.place.sure) json["line"] = frame.place.lines.front();
    if (frame.place.known() && !frame.place.sure)
      json["name"] = frame.name + " (" + profile::place_text(frame.place) + ")";
    out << separator << text(json);
    separator = ",\n";
  }
  out << "]}";
}

// One thread's samples with equal neighbours merged.
struct Run {
  uint32_t node = 0;
  uint64_t weight = 0;
};
std::vector<std::vector<Run>> runs_by_thread(const Profile& profile, profile::View view) {
  std::vector<std::vector<Run>> runs(profile.threads.size());
  for (const profile::Sample& sample : profile.samples) {
    if (!profile::is_in(profile, view, sample)) continue;
    std::vector<Run>& thread = runs[sample.thread];
    if (thread.empty() || thread.back().node != sample.node) thread.push_back({sample.node, 0});
    thread.back().weight += profile::weight_of(profile, view, sample);
  }
  return runs;
}

// The words that speedscope knows.
const char* unit_of(const wire::SourceValue& value) {
  if (value.unit == "nanoseconds") return "nanoseconds";
  return value.unit == "bytes" ? "bytes" : "none";
}

void write_thread(const Profile& profile, const profile::Thread& thread, const char* unit,
                  const std::vector<Run>& runs, std::ostream& out) {
  out << "{\"type\":\"sampled\",\"name\":" << text(thread.name + " (" + std::to_string(thread.tid) + ")")
      << ",\"unit\":\"" << unit << "\",\"startValue\":0,\"endValue\":" << thread.weight << ",\n\"samples\":[";
  std::vector<uint32_t> stack;
  for (size_t i = 0; i < runs.size(); ++i) {
    stack_of(profile, runs[i].node, stack);
    out << (i == 0 ? "[" : ",[");
    for (size_t frame = stack.size(); frame-- > 0;) out << stack[frame] << (frame == 0 ? "" : ",");
    out << ']';
  }
  out << "],\n\"weights\":[";
  for (size_t i = 0; i < runs.size(); ++i) out << (i == 0 ? "" : ",") << runs[i].weight;
  out << "]}";
}

// Of slow calls: each of a lane lies within the one before it or behind it.
void write_lane(const Profile& profile, const profile::Traces& traces, const CallLane& lane,
                std::ostream& out) {
  std::string name = "a thread that is not known";
  if (lane.thread < profile.threads.size()) {
    const profile::Thread& thread = profile.threads[lane.thread];
    name = thread.name + " (" + std::to_string(thread.tid) + ")";
  }
  name += lane.is_async ? ": slow calls of async methods" : ": slow calls";
  const profile::SlowCall& first = traces.calls[lane.calls.front()];
  uint64_t last = 0;
  for (const uint32_t call : lane.calls) last = std::max(last, end_of(traces.calls[call]));
  out << "{\"type\":\"evented\",\"name\":" << text(name)
      << ",\"unit\":\"nanoseconds\",\"startValue\":" << first.begin_ns << ",\"endValue\":" << last
      << ",\n\"events\":[";
  const char* separator = "";
  const auto event = [&](char type, const profile::SlowCall& call, uint64_t at) {
    out << separator << "{\"type\":\"" << type
        << "\",\"frame\":" << traces.methods[traces.nodes[call.node].method].frame << ",\"at\":" << at << '}';
    separator = ",";
  };
  std::vector<const profile::SlowCall*> open;
  const auto close_until = [&](uint64_t time) {
    for (; !open.empty() && end_of(*open.back()) <= time; open.pop_back())
      event('C', *open.back(), end_of(*open.back()));
  };
  for (const uint32_t i : lane.calls) {
    const profile::SlowCall& call = traces.calls[i];
    close_until(call.begin_ns);
    event('O', call, call.begin_ns);
    open.push_back(&call);
  }
  close_until(UINT64_MAX);
  out << "]}";
}

}  // namespace

base::Status write_speedscope(const Profile& profile, std::ostream& out) {
  const profile::View view = profile::view_of(profile);
  const std::vector<std::vector<Run>> runs = runs_by_thread(profile, view);
  const char* unit = unit_of(profile::source_of(profile, view).values[view.value]);
  out << "{\"$schema\":\"https://www.speedscope.app/"
         "file-format-schema.json\",\n\"exporter\":\"walkabout\",\n\"name\":"
      << text(profile.session.command_line) << ",\n\"shared\":";
  write_frames(profile, out);
  out << ",\n\"profiles\":[";
  size_t written = 0;
  size_t heaviest = 0;  // shown first
  uint64_t most = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].empty()) continue;
    if (profile.threads[i].weight > most) {
      most = profile.threads[i].weight;
      heaviest = written;
    }
    out << (written++ == 0 ? "\n" : ",\n");
    write_thread(profile, profile.threads[i], unit, runs[i], out);
  }
  if (profile::source_of(profile, view).id == profile::kTracedSource) {
    for (const profile::Traces& traces : profile.traces) {
      for (const CallLane& lane : call_lanes(traces)) {
        out << (written++ == 0 ? "\n" : ",\n");
        write_lane(profile, traces, lane, out);
      }
    }
  }
  out << "],\n\"activeProfileIndex\":" << heaviest << "}\n";
  return out.good() ? base::Status()
                    : base::Status::error("cannot write the speedscope file: the output failed");
}

}  // namespace walkabout::formats
