#include "cli/stats_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/event_text.h"
#include "console/numbers.h"
#include "recording/advice.h"
#include "recording/words.h"
#include "wire/counters.h"

namespace walkabout::cli {
namespace {

using wire::DropCause;
using wire::WalkEnd;

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t drops_of(const std::vector<uint64_t>& drops, size_t cause) {
  return cause < drops.size() ? drops[cause] : 0;
}

Json drops_json(const std::vector<uint64_t>& drops) {
  Json json;
  for (size_t i = 0; i < static_cast<size_t>(DropCause::kCount); ++i)
    json[recording::to_string(static_cast<DropCause>(i))] = drops_of(drops, i);
  return json;
}

// "12: ring_full 10, throttled 2"
std::string drops_text(const std::vector<uint64_t>& drops) {
  std::string out = grouped(wire::sum_of_drops(drops));
  const char* separator = ": ";
  for (size_t i = 0; i < static_cast<size_t>(DropCause::kCount); ++i) {
    if (drops_of(drops, i) == 0) continue;
    out += fmt::format("{}{} {}", separator, recording::to_string(static_cast<DropCause>(i)),
                       grouped(drops_of(drops, i)));
    separator = ", ";
  }
  return out;
}

}  // namespace

void StatsCollector::seen(uint64_t time_us) { duration_us_ = std::max(duration_us_, time_us); }

void StatsCollector::on_thread(const wire::Thread& r) { threads_[r.id] = r.kind; }

void StatsCollector::on_nodes(const wire::Nodes& r, uint32_t /*first_id*/) { nodes_ += r.parent.size(); }

void StatsCollector::on_source(const wire::Source& r) {
  coverage_.add_source(r.id);
  for (const EventCounts& event : events_) {
    if (event.source.id == r.id) return;
  }
  events_.push_back({r, 0, 0, 0, std::vector<uint64_t>(r.values.size())});
}

void StatsCollector::on_samples(const wire::Samples& r) {
  threads_.try_emplace(r.thread, wire::ThreadKind::kNative);
  count_event(r);
  if (!r.time_us.empty()) threads_with_samples_.insert(r.thread);
  if (r.source == wire::kCpuSource) count_cpu(r);
  if (r.time_us.empty()) return;
  seen(r.time_us.back());
  first_sample_us_ = std::min(first_sample_us_, r.time_us.front());
}

// The reader has checked that a source is declared and that its columns are as it says.
void StatsCollector::count_event(const wire::Samples& r) {
  for (EventCounts& event : events_) {
    if (event.source.id != r.source) continue;
    const size_t rows = r.time_us.size();
    event.samples += rows;
    event.rooted += static_cast<uint64_t>(std::count(r.end.begin(), r.end.end(), WalkEnd::kRooted));
    event.not_walked += static_cast<uint64_t>(std::count(r.end.begin(), r.end.end(), WalkEnd::kNotWalked));
    for (size_t i = 0; i < r.values.size(); ++i) {
      uint64_t& sum = event.values[i / rows];
      const bool is_max = event.source.values[i / rows].adding == wire::Adding::kMax;
      sum = is_max ? std::max(sum, r.values[i]) : sum + r.values[i];
    }
  }
}

void StatsCollector::count_cpu(const wire::Samples& r) {
  samples_ += r.time_us.size();
  if (!r.time_us.empty()) sampled_threads_.insert(r.thread);
  for (size_t i = 0; i < r.time_us.size(); ++i) coverage_.add_weight(r.weight(i));
  for (size_t i = 0; i < r.end.size(); ++i) {
    ++walk_end_[static_cast<size_t>(r.end[i])];
    const bool shortened = (r.flags[i] & static_cast<uint8_t>(wire::SampleFlag::kLeftOut)) != 0;
    shortened_ += shortened ? 1 : 0;
    whole_ += r.end[i] == WalkEnd::kRooted && !shortened ? 1 : 0;
  }
}

void StatsCollector::on_oracle(const wire::Oracle& /*record*/) { ++oracle_; }

void StatsCollector::on_thread_end(const wire::ThreadEnd& r) {
  threads_.try_emplace(r.thread, wire::ThreadKind::kNative);
  // As in profile::Builder: what a thread used after its last sample belongs to that.
  const bool sampled = sampled_threads_.count(r.thread) != 0;
  if (!sampled) unsampled_ns_ += r.unsampled_ns;
  coverage_.add_end(r, threads_[r.thread], sampled);
  seen(r.time_us);
}

void StatsCollector::on_counters(const wire::Counters& r) {
  counters_ = r;
  seen(r.time_us);
}

void StatsCollector::on_message(const wire::Message& r) {
  messages_.push_back(r);
  seen(r.time_us);
}

void StatsCollector::on_rate(const wire::Rate& r) {
  rates_.push_back(r);
  on_message({r.time_us, wire::Severity::kInfo, recording::sentence(r)});
}

uint64_t StatsCollector::dropped() const { return wire::sum_of_drops(counters_.drops); }

uint64_t StatsCollector::all_samples() const {
  uint64_t all = samples_;
  for (const EventCounts& event : events_) {
    if (event.source.id != wire::kCpuSource) all += event.samples;
  }
  return all;
}

uint64_t StatsCollector::attempts() const { return std::max(counters_.attempts, samples_ + dropped()); }

ThreadCount StatsCollector::threads() const {
  const auto seen = std::count_if(threads_.begin(), threads_.end(),
                                  [](const auto& t) { return t.second != wire::ThreadKind::kAgent; });
  const bool cpu = coverage_.is_of_cpu();
  return {cpu ? sampled_threads_.size() : threads_with_samples_.size(), static_cast<uint64_t>(seen)};
}

StackCount StatsCollector::stacks() const {
  const uint64_t gaps = walk_end_[static_cast<size_t>(WalkEnd::kGap)];
  return {samples_, whole_, samples_ - rooted() - gaps, gaps, shortened_, session_.depth};
}

Json StatsCollector::json(const recording::ReadSummary& summary) const {
  Json json;
  json["attempts"] = attempts();
  json["samples"] = samples_;
  json["rooted"] = rooted();
  json["shortened"] = shortened_;
  json["whole"] = whole_;
  for (size_t i = 0; i < walk_end_.size(); ++i) {
    json["walk_end"][recording::to_string(static_cast<WalkEnd>(i))] = walk_end_[i];
  }
  json["drops"] = drops_json(counters_.drops);
  json["lost"] = attempts() - samples_ - dropped();
  json["cpu_weight_seconds"] = seconds(coverage_.in_samples_ns + unsampled_ns_);
  json["unsampled_cpu_seconds"] = seconds(unsampled_ns_);
  json["process_cpu_seconds"] = seconds(counters_.process_cpu_ns);
  json["agent_cpu_seconds"] = seconds(counters_.profiling_ns());
  json["handler_cpu_seconds"] = seconds(counters_.handler_ns);
  if (counters_.callbacks_ns != 0) json["callbacks_cpu_seconds"] = seconds(counters_.callbacks_ns);
  json["threads"] = threads().seen;
  json["threads_sampled"] = threads().sampled;
  json["duration"] = static_cast<double>(duration_us_) / 1e6;
  json["start"] = seconds(session_.wall_start_ns);
  if (all_samples() > 0) json["first_sample"] = static_cast<double>(first_sample_us_) / 1e6;
  json["interval"] = seconds(session_.interval_ns);
  json["engine"] = recording::to_string(session_.engine);
  json["kernel_ticks"] = session_.kernel_ticks;
  json["timer_overruns"] = counters_.timer_overruns;
  json["walk_cycles_p50"] = counters_.walk_cycles_p50;
  json["frames_per_walk"] = ratio(counters_.walk_frames, counters_.samples);
  json["depth"] = session_.depth;
  json["stack_nodes"] = nodes_;
  json["oracle"] = oracle_;
  json["unknown_pc"] = Json::array();
  for (const uint64_t pc : counters_.unknown_pc) json["unknown_pc"].push_back(fmt::format("{:#x}", pc));
  json["file_bytes"] = summary.file_bytes;
  json["bytes_per_sample"] = ratio(summary.file_bytes, all_samples());
  json["complete"] = summary.ended;
  json["damage"] = summary.damage;
  json["pid"] = session_.pid;
  json["command_line"] = session_.command_line;
  json["runtime"] = session_.runtime;
  json["os"] = session_.os;
  json["agent_version"] = session_.agent_version;
  if (!events_.empty()) json["events"] = json_of_events();
  json["rates"] = Json::array();
  for (const wire::Rate& r : rates_) {
    json["rates"].push_back({{"time", static_cast<double>(r.time_us) / 1e6},
                             {"interval", seconds(r.interval_ns)},
                             {"before", seconds(r.before_ns)},
                             {"cost", static_cast<double>(r.cost_ppm) / 1e6},
                             {"budget", static_cast<double>(r.budget_ppm) / 1e6}});
  }
  json["messages"] = Json::array();
  for (const wire::Message& m : messages_) json["messages"].push_back(m.text);
  json["advice"] = recording::advice(session_, counters_, coverage_, !rates_.empty());
  return json;
}

Json StatsCollector::json_of_events() const {
  Json json;
  for (const EventCounts& event : events_) {
    const bool is_cpu = event.source.id == wire::kCpuSource;
    const wire::SourceCounters counters = wire::counters_of(counters_, event.source.id);
    Json of;
    // As for ticks: never less than what is in the file.
    of["attempts"] = std::max(counters.attempts, event.samples + wire::sum_of_drops(counters.drops));
    of["samples"] = event.samples;
    of["rooted"] = event.rooted;
    of["drops"] = drops_json(counters.drops);
    for (size_t i = 0; i < event.values.size(); ++i) {
      const wire::SourceValue& value = event.source.values[i];
      // What a thread used after its last sample is that sample's.
      const uint64_t sum = is_cpu && i == 0 ? coverage_.in_samples_ns : event.values[i];
      of["values"][value.name] = is_time(value) ? Json(seconds(sum)) : Json(sum);
    }
    json[event.source.name] = std::move(of);
  }
  return json;
}

std::string StatsCollector::text_of_event(const EventCounts& event) const {
  const wire::SourceCounters counters = wire::counters_of(counters_, event.source.id);
  const uint64_t attempts = std::max(counters.attempts, event.samples + wire::sum_of_drops(counters.drops));
  const std::string period = period_text(event.source);
  std::string out =
      fmt::format("{:<15} {} of {}{}{}\n", "event " + event.source.name, counted(event.samples, "sample"),
                  counted(attempts, "attempt"), period.empty() ? "" : ", ", period);
  out += fmt::format("  {:<14}{} ({:.3f}%)\n", "rooted", grouped(event.rooted),
                     percent(event.rooted, event.samples - event.not_walked));
  if (event.not_walked != 0)
    out += fmt::format("  {:<14}{}\n", "not walked", counted(event.not_walked, "sum") + " of events");
  out += fmt::format("  {:<14}{}\n", "dropped", drops_text(counters.drops));
  for (size_t i = 0; i < event.values.size(); ++i)
    out += fmt::format("  {:<14}{}\n", event.source.values[i].name,
                       value_text(event.values[i], event.source.values[i]));
  return out;
}

std::string StatsCollector::text_of_ticks() const {
  std::string out = fmt::format("{:<16}{} ticks\n", "attempts", grouped(attempts()));
  out += fmt::format("{:<16}{}, one every {} of CPU time asked for ({})\n", "samples", grouped(samples_),
                     duration(session_.interval_ns), recording::ticks_of(session_));
  out += fmt::format("{:<16}{}\n", "dropped", drops_text(counters_.drops));
  const uint64_t lost = attempts() - samples_ - dropped();
  if (lost > 0)
    out += fmt::format("{:<16}{} samples that were taken are not in the file\n", "lost", grouped(lost));
  return out;
}

std::string StatsCollector::text_of_walks() const {
  std::string out =
      fmt::format("{:<16}{} ({:.3f}%)\n", "rooted", grouped(rooted()), percent(rooted(), samples_));
  for (size_t i = 1; i < walk_end_.size(); ++i) {
    if (walk_end_[i] == 0) continue;
    out += fmt::format("  {:<14}{} ({:.3f}%)\n", recording::to_string(static_cast<WalkEnd>(i)),
                       grouped(walk_end_[i]), percent(walk_end_[i], samples_));
  }
  out += fmt::format("{:<16}{}\n", "whole", whole_stacks(stacks()));
  out += fmt::format("{:<16}{:.1f} frames, {} cycles (median)\n", "walk",
                     ratio(counters_.walk_frames, counters_.samples), grouped(counters_.walk_cycles_p50));
  if (!counters_.unknown_pc.empty()) {
    out += fmt::format("{:<16}", "unknown code");
    for (const uint64_t pc : counters_.unknown_pc) out += fmt::format("{:#x} ", pc);
    out += "\n";
  }
  return out;
}

std::string StatsCollector::text_of_time() const {
  const uint64_t covered = coverage_.in_samples_ns + unsampled_ns_;
  std::string out;
  if (coverage_.is_of_cpu()) {
    out += fmt::format("{:<16}{} of {} ({:.2f}%)\n", "CPU in samples", duration(coverage_.in_samples_ns),
                       duration(counters_.process_cpu_ns),
                       percent(coverage_.in_samples_ns, counters_.process_cpu_ns));
    out +=
        fmt::format("{:<16}{} of threads without samples (short ones, the agent's own); together {:.2f}%\n",
                    "unsampled CPU", duration(unsampled_ns_), percent(covered, counters_.process_cpu_ns));
  }
  out += fmt::format(
      "{:<16}{} ({:.3f}%), of it {} in the signal handler", "agent's CPU", duration(counters_.profiling_ns()),
      percent(counters_.profiling_ns(), counters_.process_cpu_ns), duration(counters_.handler_ns));
  if (counters_.callbacks_ns != 0) out += fmt::format(", {} in callbacks", duration(counters_.callbacks_ns));
  out += "\n";
  return out;
}

std::string StatsCollector::text(const recording::ReadSummary& summary) const {
  std::string out = fmt::format("{}\n{}, PID {}, {}, {}, agent {}\n\n", session_.command_line,
                                session_.runtime, session_.pid, duration(duration_us_ * 1000),
                                threads_sampled(threads()), session_.agent_version);
  if (coverage_.is_of_cpu()) out += text_of_ticks() + text_of_walks();
  out += text_of_time();
  for (const EventCounts& event : events_) {
    if (event.source.id != wire::kCpuSource) out += text_of_event(event);
  }
  out += fmt::format("{:<16}{} bytes, {:.1f} a sample; {} stack nodes\n", "file", grouped(summary.file_bytes),
                     ratio(summary.file_bytes, all_samples()), grouped(nodes_));
  out += fmt::format("{:<16}{}\n", "complete", summary.ended ? "yes" : "no: the agent did not end it");
  if (!summary.damage.empty()) out += fmt::format("{:<16}{}\n", "damage", summary.damage);
  for (const wire::Message& m : messages_) {
    out += fmt::format("{:<16}{}\n", m.severity == wire::Severity::kWarning ? "warning" : "note", m.text);
  }
  for (const std::string& sentence : recording::advice(session_, counters_, coverage_, !rates_.empty()))
    out += fmt::format("{:<16}{}\n", "warning", sentence);
  return out;
}

}  // namespace walkabout::cli
