#include "profile/build/builder.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_name.h"
#include "profile/build/runtime_labels.h"
#include "profile/model/documents.h"
#include "profile/names/runtime_library.h"
#include "profile/query/view.h"
#include "recording/constants.h"
#include "recording/words.h"

namespace walkabout::profile {
namespace {

using wire::SampleFlag;

bool has(uint8_t flags, SampleFlag flag) { return (flags & static_cast<uint8_t>(flag)) != 0; }

// Threads that do nothing but collect garbage. Source: the names coreclr gives them (gcenv.ee.cpp, gc.cpp).
bool is_gc_thread(const wire::Thread& thread) {
  const std::string_view name = thread.os_name;
  return name.substr(0, 14) == ".NET Server GC" || name.substr(0, 8) == ".NET BGC";
}

// What the thread was doing, best knowledge first: the runtime's word, the compiler on the stack, the leaf's
// kind. The collector's library on a stack says nothing: allocating is there too.
Activity activity_of(uint8_t flags, uint8_t traits, bool gc_thread, Kind leaf) {
  if (has(flags, SampleFlag::kInGc) || gc_thread) return Activity::kGc;
  if (has(flags, SampleFlag::kInJit)) return Activity::kJit;
  if ((traits & kTraitJit) != 0) return Activity::kJit;
  switch (leaf) {
    case Kind::kManaged:
      return Activity::kManaged;
    case Kind::kRuntime:
    case Kind::kStub:
      return Activity::kRuntime;
    case Kind::kNative:
    case Kind::kOther:
      break;
  }
  return Activity::kNative;
}

constexpr uint32_t kFinest = 4096;  // spans of a recording: more than a time line shows
constexpr uint32_t kCoarse = 512;   // and so many that one sees them
constexpr size_t kFewStacks = 64;   // nodes
constexpr char kRest[] = "[rarer stacks, not kept apart]";

bool earlier(const Sample& a, const Sample& b) { return a.time_us < b.time_us; }

}  // namespace

Builder::Builder(BuildOptions options, std::optional<Names> names)
    : options_(std::move(options)),
      names_known_(names.has_value()),
      focus_(options_.filter.focus),
      names_(std::move(names).value_or(Names())),
      stacks_{{0}, {wire::Frame{}}},
      room_(options_.bounds.samples) {
  if (names_known_) names_.code.sort();
}

void Builder::on_session(const wire::Session& r) {
  profile_.session = r;
  if (r.version < wire::kFirstVersionWithSources) on_source(wire::cpu_source(r));
}

void Builder::on_source(const wire::Source& r) {
  coverage_.add_source(r.id);
  const auto [at, added] = sources_.try_emplace(r.id, static_cast<uint8_t>(profile_.sources.size()));
  if (!added) return;
  profile_.sources.push_back(r);
  std::vector<wire::SourceLabel>& labels = profile_.sources.back().labels;
  const auto object = std::find_if(labels.begin(), labels.end(), [](const wire::SourceLabel& label) {
    return label.type == static_cast<uint32_t>(wire::LabelType::kObject);
  });
  if (object == labels.end()) return;
  follows_objects_ = true;
  object_labels_[r.id] = static_cast<size_t>(object - labels.begin());
  *object = {"survived", static_cast<uint32_t>(wire::LabelType::kText)};
}

// The decoder has refused samples of a source that nobody declared, but for CPU time.
uint8_t Builder::source_index(base::SourceId id) {
  if (sources_.find(id) == sources_.end()) on_source(wire::cpu_source(profile_.session));
  return sources_.at(id);
}

void Builder::on_text(const wire::Text& r) {
  texts_[r.id] = text_numbers_.number(r.message.empty() ? r.text : r.message, profile_.texts);
}

uint32_t Builder::thread_index(base::ThreadId id) {
  const auto [it, added] = threads_.try_emplace(id, static_cast<uint32_t>(thread_records_.size()));
  if (added) {
    const auto known = names_.threads.find(id);
    thread_records_.push_back(known != names_.threads.end() ? known->second : wire::Thread());
    thread_records_.back().id = id;
    profile_.threads.emplace_back();
  }
  return it->second;
}

void Builder::seen(uint64_t time_us) { profile_.duration_us = std::max(profile_.duration_us, time_us); }

void Builder::on_thread(const wire::Thread& r) {
  const uint32_t thread = thread_index(r.id);
  if (!names_known_) thread_records_[thread] = r;
}

void Builder::on_nodes(const wire::Nodes& r, uint32_t /*first_id*/) {
  if (r.new_tree) {
    fold();
    ++new_trees_;
  }
  stacks_.add(r);
}

bool Builder::is_chosen(uint32_t thread) const {
  if (!names_known_ || options_.filter.thread.empty()) return true;
  const wire::Thread& record = thread_records_[thread];
  return is_wanted(display_name(record), record.tid, options_.filter);
}

// Which event is meant by none is not known before the end.
bool Builder::is_event(base::SourceId source) {
  const std::string& event = options_.filter.event;
  return event.empty() || profile_.sources[source_index(source)].name == event;
}

void Builder::on_samples(const wire::Samples& r) {
  if (r.time_us.empty()) return;
  const uint32_t thread = thread_index(r.thread);
  const bool chosen = is_chosen(thread) && is_event(r.source);
  if (r.source == wire::kCpuSource) {
    add_cpu(r, thread, chosen);
  } else {
    add_others(r, thread, chosen);
  }
  seen(r.time_us.back());
  if (raw_.size() + profile_.samples.size() >= room_) keep_samples_bounded();
}

uint32_t Builder::stack_of(const wire::Samples& r, size_t row) {
  const uint32_t stack = r.stack[row].value;
  if (!options_.async || row >= r.async_joint.size() || r.async_joint[row] == 0) return stack;
  return stacks_.add_logical({stack, r.async_joint[row], r.awaiter[row].value});
}

Sample Builder::sample_of(const wire::Samples& r, size_t row, uint32_t thread) {
  return {r.time_us[row],
          r.weight(row),
          thread,
          stack_of(r, row),
          r.end[row],
          static_cast<Activity>(r.flags[row]),
          has(r.flags[row], SampleFlag::kLeftOut)};
}

bool Builder::is_in_time(uint64_t time_us) const {
  return time_us >= options_.filter.from_us && time_us < options_.filter.to_us;
}

void Builder::add_cpu(const wire::Samples& r, uint32_t thread, bool chosen) {
  const uint8_t source = source_index(r.source);
  const auto [at, first] = last_.try_emplace(thread);
  Last& last = at->second;
  for (size_t i = 0; i < r.time_us.size(); ++i) {
    if (i > 0 || !first) let_go(last);
    coverage_.add_weight(r.weight(i));
    last.sample = sample_of(r, i, thread);
    last.sample.source = source;
    last.folded = false;
    last.wanted = chosen && is_in_time(r.time_us[i]);
  }
}

void Builder::add_others(const wire::Samples& r, uint32_t thread, bool chosen) {
  if (!chosen) return;
  if (const auto objects = object_labels_.find(r.source); objects != object_labels_.end())
    return add_objects(r, thread, objects->second);
  for (size_t i = 0; i < r.time_us.size(); ++i) {
    if (is_in_time(r.time_us[i])) add_other(r, i, sample_of(r, i, thread));
  }
}

void Builder::add_other(const wire::Samples& r, size_t row, Sample sample) {
  sample.source = source_index(r.source);
  take_values(r, row, sample);
  take_labels(r, row, sample);
  raw_.push_back(sample);
}

// Those that exist, for as much as they stand for by now; in place of its number what the object has
// survived.
void Builder::add_objects(const wire::Samples& r, uint32_t thread, size_t label) {
  if (!names_known_) return;
  const size_t rows = r.time_us.size();
  wire::Samples objects = r;
  for (size_t i = 0; i < rows; ++i) {
    uint64_t& object = objects.labels[label * rows + i];
    if (!is_in_time(r.time_us[i]) || names_.lives.is_gone(object)) continue;
    const uint32_t halvings = names_.lives.halvings(r.time_us[i]);
    for (size_t at = i; at < objects.values.size(); at += rows)
      objects.values[at] = std::min(objects.values[at], recording::kMaxTime >> halvings) << halvings;
    object = text_numbers_.number(to_string(names_.lives.survived(r.time_us[i])), profile_.texts);
    add_other(objects, i, sample_of(objects, i, thread));
  }
}

void Builder::take_values(const wire::Samples& r, size_t row, Sample& sample) {
  const size_t rows = r.time_us.size();
  if (r.values.size() <= rows) return;
  sample.more = static_cast<uint32_t>(profile_.more_values.size());
  for (size_t at = rows + row; at < r.values.size(); at += rows) profile_.more_values.push_back(r.values[at]);
}

bool Builder::is_object_label(base::SourceId source, size_t label) const {
  const auto object = object_labels_.find(source);
  return object != object_labels_.end() && object->second == label;
}

void Builder::take_labels(const wire::Samples& r, size_t row, Sample& sample) {
  std::vector<uint64_t> set;
  for (size_t at = row; at < r.labels.size(); at += r.time_us.size()) set.push_back(r.labels[at]);
  if (set.empty()) return;
  const std::vector<wire::SourceLabel>& labels = profile_.sources[sample.source].labels;
  for (size_t i = 0; i < std::min(set.size(), labels.size()); ++i) {
    if (!wire::is_text(labels[i]) || is_object_label(r.source, i)) continue;
    const auto text = texts_.find(base::TextId(static_cast<uint32_t>(set[i])));
    set[i] = text == texts_.end() ? 0 : text->second;
  }
  const auto [at, added] =
      label_sets_.try_emplace({sample.source, set}, static_cast<uint32_t>(profile_.label_sets.size()));
  if (added) profile_.label_sets.push_back(std::move(set));
  sample.labels = at->second;
}

void Builder::let_go(const Last& last) {
  if (last.wanted && !last.folded) {
    raw_.push_back(last.sample);
    return;
  }
  // Of threads that are not wanted samples are counted: filtered() can say which threads there are.
  if (last.wanted || !options_.filter.thread.empty()) count(last.sample);
  if (!last.wanted) return;
  profile_.total_weight += last.sample.weight;
  profile_.samples.push_back(last.sample);
}

void Builder::count(const Sample& sample) {
  if (profile_.sources[sample.source].id != wire::kCpuSource) return;
  Thread& thread = profile_.threads[sample.thread];
  thread.samples += sample.count;
  thread.weight += sample.weight;
}

// A weight covers the time before its sample; what a thread used after its last one has no better place than
// that.
void Builder::on_thread_end(const wire::ThreadEnd& r) {
  const uint32_t thread = thread_index(r.thread);
  const auto last = last_.find(thread);
  coverage_.add_end(r, thread_records_[thread].kind, last != last_.end());
  if (last != last_.end()) {
    last->second.sample.weight += r.unsampled_ns;
    let_go(last->second);
    last_.erase(last);
  } else {
    profile_.threads[thread].unsampled_ns += r.unsampled_ns;
  }
  seen(r.time_us);
}

void Builder::on_counters(const wire::Counters& r) {
  profile_.counters = r;
  seen(r.time_us);
}

void Builder::on_message(const wire::Message& r) {
  profile_.messages.push_back(r);
  seen(r.time_us);
}

// Every report shows the messages.
void Builder::on_rate(const wire::Rate& r) {
  on_message({r.time_us, wire::Severity::kInfo, recording::sentence(r)});
  has_budget_ = true;
}

void Builder::on_end(const wire::End& r) {
  profile_.complete = true;
  seen(r.time_us);
}

// Of the tree under way. Behind that those go that are out of focus.
void Builder::place_all_sums() {
  placed_.resize(profile_.sources.size());
  for (size_t i = 0; i < profile_.sources.size(); ++i) {
    if (!places_sums(profile_.sources[i])) continue;
    const PlacedSums sums = place_sums(raw_, static_cast<uint8_t>(i), profile_.thinned.span_us, profile_);
    placed_[i].placed += sums.placed;
    placed_[i].all += sums.all;
  }
  if (focus_.all()) return;
  std::erase_if(raw_, [this](const Sample& sample) { return !focused_[sample.node]; });
}

// Whether the filter wants it, or it is looked at once more.
bool Builder::fold(Sample& sample, StackMap& map) {
  const auto flags = static_cast<uint8_t>(sample.activity);
  const uint8_t traits = map.traits(sample.node);
  sample.node = map.node(sample.node, sample.end);
  sample.activity = activity_of(flags, traits, is_gc_thread(thread_records_[sample.thread]),
                                namer_->kind(map.frame(sample.node)));
  find_focused();
  return focus_.all() || focused_[sample.node] || places_sums(profile_.sources[sample.source]);
}

void Builder::fold() {
  if (!names_known_) names_.code.sort();
  if (!namer_)
    namer_.emplace(names_.code, FrameNamer::Options{options_.unfold, options_.lines, options_.inlined},
                   profile_.session.command_line);
  if (!names_known_) namer_->look_again();
  StackMap map(stacks_, *namer_, tree_);
  size_t kept = 0;
  for (Sample& sample : raw_) {
    if (fold(sample, map)) raw_[kept++] = sample;
  }
  raw_.resize(kept);
  place_all_sums();
  for (auto& [thread, last] : last_) {
    if (!last.folded) last.wanted = fold(last.sample, map) && last.wanted;
    last.folded = true;
  }
  take(raw_);
  stacks_ = {{0}, {wire::Frame{}}};
  if (tree_.size() > options_.bounds.nodes) prune_tree(options_.bounds.nodes / 8);
}

void Builder::take(std::vector<Sample>& folded) {
  for (const Sample& sample : folded) {
    count(sample);
    if (profile_.sources[sample.source].id == wire::kCpuSource) profile_.total_weight += sample.weight;
  }
  if (profile_.samples.empty()) {
    profile_.samples.swap(folded);
  } else {
    profile_.samples.insert(profile_.samples.end(), folded.begin(), folded.end());
  }
  folded.clear();
}

// Of the nodes that are new.
void Builder::find_focused() {
  if (focus_.all() || focused_.size() == tree_.size()) return;
  const std::vector<Node>& nodes = tree_.nodes();
  if (focused_.empty()) focused_.push_back(false);
  for (size_t i = focused_.size(); i < nodes.size(); ++i)
    focused_.push_back(focused_[nodes[i].parent] || is_focus(nodes[i].frame));
}

// Once for each frame.
bool Builder::is_focus(uint32_t frame) {
  for (size_t i = focus_frames_.size(); i <= frame; ++i)
    focus_frames_.push_back(focus_.has(namer_->frames()[i].name));
  return focus_frames_[frame];
}

void Builder::prune_tree(size_t keep) {
  Thinned& thinned = profile_.thinned;
  thinned.stacks = true;
  thinned.rest = namer_->marker(kRest);
  thinned.self.resize(namer_->frames().size());
  thinned.total.resize(thinned.self.size());
  std::vector<Amount> self(tree_.size());
  std::vector<Amount> shown(tree_.size());
  const uint8_t source = view_of(profile_).source;
  const bool is_one_event = !options_.filter.event.empty();  // others are not held
  const auto add = [&](const Sample& s) {
    self[s.node] += {s.weight, s.count};
    if (is_one_event || s.source == source) shown[s.node] += {s.weight, s.count};
  };
  for (const Sample& s : profile_.samples) add(s);
  for (const auto& [thread, last] : last_) {
    if (last.folded && last.wanted) add(last.sample);
  }
  const std::vector<uint32_t> moved = prune(tree_, self, shown, keep, thinned.rest, thinned);
  for (Sample& s : profile_.samples) s.node = moved[s.node];
  for (auto& [thread, last] : last_) {
    if (last.folded) last.sample.node = moved[last.sample.node];
  }
  focused_.clear();
}

// First what a time line does not show is given up, then stacks, then time.
void Builder::keep_samples_bounded() {
  uint64_t& span_us = profile_.thinned.span_us;
  const uint64_t whole_us = profile_.duration_us + 1;
  const size_t enough = options_.bounds.samples / 2;
  span_us =
      std::max(span_us, options_.in_time_order ? std::max<uint64_t>(whole_us / kFinest, 1) : kWholeTime);
  for (;;) {
    merge(raw_, span_us, profile_);
    merge(profile_.samples, span_us, profile_);
    if (raw_.size() + profile_.samples.size() <= enough) break;
    const bool is_coarse = span_us >= whole_us / kCoarse;
    if (is_coarse && tree_.size() > kFewStacks && profile_.samples.size() > raw_.size()) {
      prune_tree(tree_.size() / 8);
    } else if (span_us < whole_us) {
      span_us *= 2;
    } else {
      break;  // what is left is of the tree under way, which is bounded by itself
    }
  }
  compact_values();
  room_ = std::max(options_.bounds.samples, 2 * (raw_.size() + profile_.samples.size()));
}

// Leaves out those of samples that are no more.
void Builder::compact_values() {
  std::vector<uint64_t> kept;
  for (std::vector<Sample>* samples : {&raw_, &profile_.samples}) {
    for (Sample& sample : *samples) {
      const auto count = static_cast<ptrdiff_t>(profile_.sources[sample.source].values.size()) - 1;
      const auto first = profile_.more_values.begin() + sample.more;
      if (count == 0) continue;
      sample.more = static_cast<uint32_t>(kept.size());
      kept.insert(kept.end(), first, first + count);
    }
  }
  profile_.more_values = std::move(kept);
}

void Builder::finish_threads() {
  for (size_t i = 0; i < thread_records_.size(); ++i) {
    profile_.threads[i].name = display_name(thread_records_[i]);
    profile_.threads[i].tid = thread_records_[i].tid;
    profile_.threads[i].kind = thread_records_[i].kind;
  }
}

void Builder::finish_samples() {
  for (const auto& [thread, last] : last_) let_go(last);
  last_.clear();
  fold();
  if (raw_.size() + profile_.samples.size() > options_.bounds.samples) keep_samples_bounded();
  profile_.nodes = std::move(tree_).take();
  profile_.frames = namer_->take_frames();
  std::set<std::string> files;
  for (const DisplayFrame& frame : profile_.frames) {
    if (frame.place.known()) files.insert(frame.place.file);
  }
  profile_.documents = one_of_each(names_.code.documents(files));
}

void Builder::finish_stripped() {
  for (const auto& [id, module] : names_.code.modules()) {
    const wire::NativeSymbols* symbols = names_.code.symbols(id);
    if (symbols != nullptr && symbols->stripped)
      profile_.stripped.emplace_back(base::file_name_of_any(module.path));
  }
  std::sort(profile_.stripped.begin(), profile_.stripped.end());
  profile_.stripped.erase(std::unique(profile_.stripped.begin(), profile_.stripped.end()),
                          profile_.stripped.end());
}

void Builder::sort_samples() {
  if (!std::is_sorted(profile_.samples.begin(), profile_.samples.end(), earlier))
    std::stable_sort(profile_.samples.begin(), profile_.samples.end(), earlier);
}

Profile Builder::build(std::string damage) {
  finish_threads();
  finish_samples();
  label_runtime(profile_);
  finish_stripped();
  profile_.damage = std::move(damage);
  profile_.chosen = true;
  if (!is_cpu(profile_, view_of(profile_))) count_samples(profile_);
  if (options_.in_time_order) sort_samples();
  finish_messages();
  return std::move(profile_);
}

}  // namespace walkabout::profile
