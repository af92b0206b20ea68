#include "profile/build/merge.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "profile/model/documents.h"
#include "profile/names/frame_key.h"
#include "profile/names/process_name.h"
#include "wire/counters.h"

namespace walkabout::profile {
namespace {

// Their periods may differ.
bool is_same(const wire::Source& a, const wire::Source& b) {
  const auto same_value = [](const wire::SourceValue& x, const wire::SourceValue& y) {
    return x.name == y.name && x.unit == y.unit && x.adding == y.adding;
  };
  const auto same_label = [](const wire::SourceLabel& x, const wire::SourceLabel& y) {
    return x.name == y.name && x.type == y.type;
  };
  return a.name == b.name &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same_value) &&
         std::equal(a.labels.begin(), a.labels.end(), b.labels.begin(), b.labels.end(), same_label);
}

void add_sentence(const std::string& sentence, std::string* to) {
  if (!sentence.empty()) *to += (to->empty() ? "" : "; ") + sentence;
}

}  // namespace

uint32_t Merger::frame(const DisplayFrame& f) {
  const auto [it, added] =
      frames_.try_emplace(frame_key(f) + (f.exact ? '1' : '0'), static_cast<uint32_t>(all_.frames.size()));
  if (added) all_.frames.push_back(f);
  all_.frames[it->second].tiers |= f.tiers;
  return it->second;
}

// Sources that were declared alike are one.
std::vector<uint8_t> Merger::add_sources(const std::vector<wire::Source>& part) {
  std::vector<uint8_t> moved;
  for (const wire::Source& source : part) {
    const auto same = std::find_if(all_.sources.begin(), all_.sources.end(),
                                   [&source](const auto& known) { return is_same(known, source); });
    const auto at = static_cast<size_t>(same - all_.sources.begin());
    moved.push_back(static_cast<uint8_t>(std::min<size_t>(at, kNoSource)));
    if (same == all_.sources.end() && at < kNoSource) all_.sources.push_back(source);
  }
  return moved;
}

uint32_t Merger::label_set(uint8_t source, std::vector<uint64_t> labels, const std::vector<uint64_t>& texts) {
  if (labels.empty()) return 0;
  const std::vector<wire::SourceLabel>& declared = all_.sources[source].labels;
  for (size_t i = 0; i < std::min(labels.size(), declared.size()); ++i) {
    if (wire::is_text(declared[i]))
      labels[i] = labels[i] == 0 || labels[i] > texts.size() ? 0 : texts[labels[i] - 1];
  }
  const auto [at, added] =
      label_sets_.try_emplace({source, labels}, static_cast<uint32_t>(all_.label_sets.size()));
  if (added) all_.label_sets.push_back(std::move(labels));
  return at->second;
}

// Sums; of what is no sum, the process with the most samples says it.
void Merger::add_counters(const wire::Counters& part) {
  wire::Counters& all = all_.counters;
  all.attempts += part.attempts;
  all.samples += part.samples;
  wire::add_drops(part.drops, &all.drops);
  all.handler_ns += part.handler_ns;
  all.agent_threads_ns += part.agent_threads_ns;
  all.callbacks_ns += part.callbacks_ns;
  all.process_cpu_ns += part.process_cpu_ns;
  all.walk_frames += part.walk_frames;
  all.timer_overruns += part.timer_overruns;
  all.unknown_pc.insert(all.unknown_pc.end(), part.unknown_pc.begin(), part.unknown_pc.end());
  if (part.samples > most_samples_) all.walk_cycles_p50 = part.walk_cycles_p50;
  most_samples_ = std::max(most_samples_, part.samples);
  // Equal ids are equal sources: all are of one agent.
  for (const wire::SourceCounters& source : part.sources) {
    wire::SourceCounters& sum = wire::entry_of(all, source.source);
    sum.attempts += source.attempts;
    sum.samples += source.samples;
    wire::add_drops(source.drops, &sum.drops);
  }
}

// frames: of the part, here.
void Merger::add_thinned(const Thinned& part, const std::vector<uint32_t>& frames) {
  Thinned& all = all_.thinned;
  all.span_us = std::max(all.span_us, part.span_us);
  if (!part.stacks) return;
  all.stacks = true;
  all.rest = frames[part.rest];
  all.self.resize(all_.frames.size());
  all.total.resize(all_.frames.size());
  for (size_t i = 0; i < part.self.size(); ++i) {
    all.self[frames[i]] += part.self[i];
    all.total[frames[i]] += part.total[i];
  }
}

void Merger::add_traces(std::vector<Traces> part, const Moved& moved) {
  for (Traces& traces : part) {
    for (TracedMethod& method : traces.methods) method.frame = moved.frames[method.frame];
    for (TracedNode& node : traces.nodes) node.node = moved.nodes[node.node];
    for (TracedThread& thread : traces.threads) thread.thread += moved.first_thread;
    for (SlowCall& call : traces.calls) {
      call.begin_ns += moved.later_ns;
      call.thread += moved.first_thread;
      call.ended_in += moved.first_thread;
      call.stack = call.stack == 0 ? 0 : moved.nodes[call.stack];
    }
    all_.traces.push_back(std::move(traces));
  }
}

void Merger::add(Profile part, const std::string& name) {
  const std::string process = process_frame(name, part.session.pid);
  if (std::exchange(is_first_, false)) {
    all_.session = part.session;
    all_.complete = true;
    all_.processes = 0;
    base_ns_ = part.session.monotonic_start_ns;
  }
  ++all_.processes;
  const uint64_t start_ns = std::max(part.session.monotonic_start_ns, base_ns_);
  const uint64_t later_us = (start_ns - base_ns_) / 1000;
  const auto first_thread = static_cast<uint32_t>(all_.threads.size());
  for (Thread& thread : part.threads) {
    thread.name += " · " + process;
    all_.threads.push_back(std::move(thread));
  }
  std::vector<uint32_t> frames(part.frames.size());
  for (size_t i = 0; i < frames.size(); ++i) frames[i] = frame(part.frames[i]);
  std::vector<uint32_t> nodes(part.nodes.size());
  if (!nodes.empty()) nodes[0] = tree_.child(0, frame({process, process, "", Kind::kOther, true}));
  for (size_t i = 1; i < nodes.size(); ++i)
    nodes[i] = tree_.child(nodes[part.nodes[i].parent], frames[part.nodes[i].frame]);
  if (part.sources.empty()) part.sources = {wire::cpu_source(part.session)};
  const std::vector<uint8_t> sources = add_sources(part.sources);
  std::vector<uint64_t> texts;
  for (const std::string& text : part.texts) texts.push_back(text_numbers_.number(text, all_.texts));
  const auto first_value = static_cast<uint32_t>(all_.more_values.size());
  all_.more_values.insert(all_.more_values.end(), part.more_values.begin(), part.more_values.end());
  all_.samples.reserve(all_.samples.size() + part.samples.size());
  uint64_t without_source = 0;
  for (Sample sample : part.samples) {
    sample.time_us += later_us;
    sample.thread += first_thread;
    sample.node = nodes[sample.node];
    sample.source = sources[sample.source];
    if (sample.source == kNoSource) {
      ++without_source;
      continue;
    }
    sample.labels = label_set(sample.source, part.label_sets[sample.labels], texts);
    sample.more += first_value;
    all_.samples.push_back(sample);
  }
  if (without_source != 0)
    add_damage(process + ": " + std::to_string(without_source) + " samples of more events than can be shown");
  add_thinned(part.thinned, frames);
  add_traces(std::move(part.traces), {nodes, frames, first_thread, later_us * 1000});
  std::move(part.documents.begin(), part.documents.end(), std::back_inserter(all_.documents));
  for (wire::Message& m : part.messages)
    all_.messages.push_back({m.time_us + later_us, m.severity, process + ": " + m.text});
  all_.stripped.insert(all_.stripped.end(), part.stripped.begin(), part.stripped.end());
  all_.duration_us = std::max(all_.duration_us, part.duration_us + later_us);
  all_.total_weight += part.total_weight;
  all_.complete = all_.complete && part.complete;
  all_.lacks_time = all_.lacks_time || part.lacks_time;
  if (!part.damage.empty()) add_damage(process + ": " + part.damage);
  add_counters(part.counters);
}

void Merger::add_damage(const std::string& sentence) { add_sentence(sentence, &all_.damage); }

Profile Merger::take(bool in_time_order) {
  const auto earlier = [](const Sample& a, const Sample& b) { return a.time_us < b.time_us; };
  if (in_time_order) std::stable_sort(all_.samples.begin(), all_.samples.end(), earlier);
  std::sort(all_.stripped.begin(), all_.stripped.end());
  all_.stripped.erase(std::unique(all_.stripped.begin(), all_.stripped.end()), all_.stripped.end());
  all_.documents = one_of_each(std::move(all_.documents));
  all_.nodes = std::move(tree_).take();
  return std::move(all_);
}

}  // namespace walkabout::profile
