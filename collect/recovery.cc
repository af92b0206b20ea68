#include "collect/recovery.h"

#include <algorithm>
#include <numeric>

#include "console/numbers.h"
#include "recording/constants.h"
#include "wire/encode.h"
#include "wire/text_note.h"

namespace walkabout::cli {
namespace {

using recording::kMaxTime;

constexpr auto kCorrupt = static_cast<size_t>(wire::DropCause::kCorrupt);
constexpr auto kKilled = static_cast<size_t>(wire::DropCause::kKilled);
constexpr uint8_t kAllFlags = static_cast<uint8_t>(wire::SampleFlag::kInGc) |
                              static_cast<uint8_t>(wire::SampleFlag::kInJit) |
                              static_cast<uint8_t>(wire::SampleFlag::kLeftOut);

bool plausible(const wire::RawSample& raw) {
  if (raw.end >= wire::WalkEnd::kCount || (raw.flags & ~kAllFlags) != 0 || raw.value > kMaxTime) return false;
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  const wire::Frame* awaiters = wire::Consumer::awaiters(&raw);
  const auto is_frame = [](wire::Frame f) {
    return f.kind() >= wire::FrameKind::kNative && f.kind() <= wire::FrameKind::kUnreported &&
           (!f.has_code() || f.code().valid());
  };
  return std::all_of(frames, frames + raw.frames, is_frame) &&
         std::all_of(awaiters, awaiters + raw.awaiters,
                     [&](wire::Frame f) { return is_frame(f) && !f.unmapped(); });
}

// The memory counts from the stream's beginning, a recording from its own. Whose counts are hostile may be
// less.
void subtract(uint64_t by, uint64_t* from) { *from -= std::min(*from, by); }

}  // namespace

base::Status Recovery::run(RingFile& rings, const Sink& sink) {
  const auto add_account = [this](size_t source, const wire::SourceAccount& account) {
    accounts_[source].attempts += account.attempts;
    for (size_t i = 0; i < std::size(account.drops); ++i) accounts_[source].drops[i] += account.drops[i];
  };
  const wire::RingTotals& gone = rings.gone();
  for (size_t i = 0; i < wire::kMostSources; ++i) add_account(i, gone.accounts[i]);
  totals_.handler_ns = gone.handler_ns;
  totals_.walk_frames = gone.frames;
  totals_.timer_overruns = gone.overruns;
  notes_ = NotedCode(rings.read_notes(&lost_notes_));
  texts_ = NotedTexts(rings.read_text_notes(&lost_texts_));
  for (uint32_t i = 0; i < rings.slots(); ++i) {
    wire::SlotHeader* slot = rings.read_slot(i);
    if (slot == nullptr) continue;
    tid_of_[base::ThreadId(slot->thread)] = slot->tid;
    std::string records;
    take_slot(rings, *slot, &records);
    for (const wire::LaneHeader& lane : slot->lanes) {  // afterwards: what is damaged is counted there
      for (size_t source = 0; source < wire::kMostSources; ++source)
        add_account(source, lane.accounts[source]);
    }
    totals_.walk_frames += slot->ticks().frames;
    totals_.handler_ns += slot->ticks().cost_ns;
    totals_.timer_overruns += slot->overruns;
    if (records.empty()) continue;
    if (base::Status s = sink(records); !s.ok()) return s;
  }
  std::string records;
  take_sums(rings, &records);
  take_calls(rings, &records);
  if (!records.empty()) {
    if (base::Status s = sink(records); !s.ok()) return s;
    records.clear();
  }
  emit_own_threads(&records);
  emit_counters(&records);
  emit_message(rings.too_large(), &records);
  return sink(records);
}

void Recovery::introduce(base::ThreadId thread, uint64_t start_us, std::string* out) const {
  wire::Thread record;
  record.id = thread;
  if (const auto tid = tid_of_.find(thread); tid != tid_of_.end()) record.tid = tid->second;
  record.start_us = start_us;
  wire::encode(record, *out);
}

void Recovery::begin_batches() {
  batches_.clear();
  code_.clear();
  nodes_ = {};
  first_node_ = next_node_;
}

void Recovery::take_slot(RingFile& rings, wire::SlotHeader& slot, std::string* out) {
  begin_batches();
  for (const wire::Lane lane : {wire::Lane::kHandler, wire::Lane::kCallback})
    take_lane(rings.ring(lane), lane, slot);
  emit_batches(out);
}

void Recovery::emit_batches(std::string* out) {
  if (batches_.empty()) return;
  base::ThreadId introduced;
  for (const auto& [key, batch] : batches_) {  // by thread
    const base::ThreadId thread = std::get<base::ThreadId>(key);
    if (known_.knows(thread) || thread == introduced) continue;
    introduce(thread, batch.samples.time_us.front(), out);
    introduced = thread;
  }
  *out += code_;
  if (!nodes_.parent.empty()) wire::encode(nodes_, first_node_, *out);
  for (auto& [key, batch] : batches_) {
    emit_texts(batch, out);
    wire::Samples& samples = batch.samples;
    for (const auto& column : batch.more_values)
      samples.values.insert(samples.values.end(), column.begin(), column.end());
    for (const auto& column : batch.labels)
      samples.labels.insert(samples.labels.end(), column.begin(), column.end());
    wire::encode(samples, *out);
  }
}

void Recovery::emit_texts(const Batch& batch, std::string* out) {
  if (batch.labels.empty()) return;  // CPU time is recovered where the stream declares no sources, too
  const std::vector<wire::SourceLabel>& labels = known_.sources.at(batch.samples.source).labels;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!wire::is_text(labels[i])) continue;
    const bool message = labels[i].type == static_cast<uint32_t>(wire::LabelType::kMessage);
    for (const uint64_t label : batch.labels[i]) {
      const base::TextId id(static_cast<uint32_t>(label));
      if (wire::is_text_id(id) && known_.texts.count(id) == 0 && !texts_.declare(id, message, out))
        unknown_texts_.insert(id);
    }
  }
}

void Recovery::take_sums(RingFile& rings, std::string* out) {
  const wire::Sums* memory = rings.read_sums();
  if (memory == nullptr) return;
  const auto [sums, damaged] = unsent_sums(*memory, known_);
  for (size_t source = 0; source < wire::kMostSources; ++source) {
    Account& account = accounts_[source];
    account.attempts += memory->lost[source] + damaged[source];
    account.drops[static_cast<size_t>(wire::DropCause::kRingFull)] += memory->lost[source];
    account.drops[kCorrupt] += damaged[source];
  }
  begin_batches();
  for (const UnsentSum& sum : sums) add_sum(sum);
  emit_batches(out);
}

void Recovery::take_calls(RingFile& rings, std::string* out) {
  if (!known_.calls.asked()) return;
  const std::vector<uint64_t> sums = rings.read_calls();
  const std::vector<uint64_t>& emitted = known_.calls.calls();
  wire::CallCounts record;
  record.time_us = known_.latest_us;
  for (size_t i = 0; i < sums.size(); ++i) {
    const uint64_t before = i < emitted.size() ? emitted[i] : 0;
    if (sums[i] <= before || sums[i] > kMaxTime) continue;
    record.index.push_back(i);
    record.calls.push_back(sums[i] - before);
    calls_ += record.calls.back();
  }
  if (!record.index.empty()) wire::encode(record, *out);
}

// As the spooler emits it. When its events came is not known: since the spooler's last pass.
void Recovery::add_sum(const UnsentSum& sum) {
  Batch& batch = batches_[BatchKey(sum.thread, sum.source, wire::SampleOrigin::kTally)];
  wire::Samples& samples = batch.samples;
  samples.thread = sum.thread;
  samples.source = sum.source;
  samples.origin = wire::SampleOrigin::kTally;
  samples.time_us.push_back(std::max(last_us_, known_.latest_us));
  samples.values.push_back(sum.values[0]);
  batch.more_values.resize(sum.values.size() - 1);
  batch.labels.resize(sum.labels.size());
  for (size_t i = 0; i < batch.more_values.size(); ++i) batch.more_values[i].push_back(sum.values[i + 1]);
  for (size_t i = 0; i < batch.labels.size(); ++i) batch.labels[i].push_back(sum.labels[i]);
  samples.stack.push_back(base::StackId(child(0, wire::Frame::not_walked())));
  samples.end.push_back(wire::WalkEnd::kNotWalked);
  samples.flags.push_back(0);
  ++samples_;
}

void Recovery::take_lane(wire::Consumer ring, wire::Lane lane, wire::SlotHeader& slot) {
  wire::LaneHeader& header = slot.lane(lane);
  for (const wire::RawSample* raw = ring.next(); raw != nullptr; raw = ring.next()) {
    const bool observed = lane == wire::Lane::kCallback && raw->subject != 0;
    const BatchKey key(base::ThreadId(observed ? raw->subject : slot.thread.load()),
                       base::SourceId(raw->source),
                       observed                       ? wire::SampleOrigin::kObserver
                       : lane == wire::Lane::kHandler ? wire::SampleOrigin::kTick
                                                      : wire::SampleOrigin::kCallback);
    if (is_new(*raw, key, header) && !add_sample(*raw, key)) {
      header.of(base::SourceId(raw->source)).drops[kCorrupt] += 1;  // and nothing behind it is believed
      break;
    }
    ring.pass();
  }
}

// Numbers below came through the stream, or were damaged.
bool Recovery::is_new(const wire::RawSample& raw, const BatchKey& key, const wire::LaneHeader& lane) const {
  const auto [thread, source, origin] = key;
  const uint64_t damaged =
      origin == wire::SampleOrigin::kObserver ? 0 : lane.of(source).drops[kCorrupt].load();
  const auto first = static_cast<uint32_t>(known_.stream_samples_of(thread, source, origin) + damaged);
  return static_cast<int32_t>(raw.index - first) >= 0;
}

// As the stream has its source, if it has it. CPU time is what ticks count.
bool Recovery::is_declared(const wire::RawSample& raw, wire::SampleOrigin origin) const {
  const base::SourceId source(raw.source);
  if (source == wire::kCpuSource)
    return origin == wire::SampleOrigin::kTick && raw.more_values == 0 && raw.labels == 0 && raw.subject == 0;
  const auto declared = known_.sources.find(source);
  const uint64_t* more = wire::Consumer::more_values(&raw);
  return declared != known_.sources.end() && declared->second.values.size() == size_t{1} + raw.more_values &&
         declared->second.labels.size() == raw.labels &&
         (origin != wire::SampleOrigin::kTick || raw.subject == 0) &&
         std::all_of(more, more + raw.more_values, [](uint64_t value) { return value <= kMaxTime; });
}

// The part of a weight that the process's CPU time in the last Counters does not hold: a thread uses no more
// than passes.
uint64_t Recovery::uncounted_ns(uint64_t weight_ns, uint64_t time_us) const {
  const uint64_t counted_us = known_.counters.time_us;  // 0: from the recording's beginning
  return std::min(weight_ns, (std::max(time_us, counted_us) - counted_us) * 1000);
}

bool Recovery::add_sample(const wire::RawSample& raw, const BatchKey& key) {
  const auto [thread, source, origin] = key;
  const uint64_t start = known_.session.monotonic_start_ns;
  const uint64_t time_us = (std::max(raw.time_ns, start) - start) / 1000;
  if (time_us > kMaxTime || !plausible(raw) || !is_declared(raw, origin)) return false;
  const auto begun = batches_.find(key);
  if (begun != batches_.end() && begun->second.samples.time_us.back() > time_us) return false;
  Batch& batch = begun != batches_.end() ? begun->second : batches_[key];
  wire::Samples& samples = batch.samples;
  samples.thread = thread;
  samples.source = source;
  samples.origin = origin;
  samples.time_us.push_back(time_us);
  samples.values.push_back(raw.value);
  batch.more_values.resize(raw.more_values);
  batch.labels.resize(raw.labels);
  for (size_t i = 0; i < raw.more_values; ++i)
    batch.more_values[i].push_back(wire::Consumer::more_values(&raw)[i]);
  for (size_t i = 0; i < raw.labels; ++i) batch.labels[i].push_back(wire::Consumer::labels(&raw)[i]);
  samples.stack.push_back(intern(raw));
  samples.end.push_back(raw.end);
  samples.flags.push_back(raw.flags);
  samples.async_joint.push_back(raw.async_unseen != 0 ? raw.async_unseen : raw.async_joint);
  samples.awaiter.push_back(intern_awaiters(raw));
  ++samples_;
  if (source == wire::kCpuSource) weight_ns_ += uncounted_ns(raw.value, time_us);
  last_us_ = std::max(last_us_, time_us);
  return true;
}

// Nodes of the stream are emitted once more: readers put equal frames together.
base::StackId Recovery::intern(const wire::RawSample& raw) {
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  uint32_t parent = 0;
  for (size_t i = raw.frames; i-- > 0;) {
    const wire::Frame frame = frames[i].unmapped() ? frames[i].as_unnamed() : frames[i];
    parent = child(parent, frame);
    if (!gets_name(frame, i == 0)) ++unnamed_;
  }
  return base::StackId(parent);
}

// Whether a method that nobody had looked at was async is not known any more.
base::StackId Recovery::intern_awaiters(const wire::RawSample& raw) {
  if (raw.async_unseen != 0)
    return base::StackId(child(0, wire::Frame::async_unknown(wire::AsyncUnknown::kNotSeen)));
  const wire::Frame* awaiters = wire::Consumer::awaiters(&raw);
  uint32_t parent = 0;
  for (size_t i = raw.awaiters; i-- > 0;) parent = child(parent, awaiters[i].without_ticket());
  return base::StackId(parent);
}

uint32_t Recovery::child(uint32_t parent, wire::Frame frame) {
  const auto [node, fresh] = node_of_.try_emplace({parent, frame.bits}, next_node_);
  if (fresh) {
    declare(frame);
    nodes_.parent.push_back(parent);
    nodes_.frame.push_back(frame);
    ++next_node_;
  }
  return node->second;
}

bool Recovery::gets_name(wire::Frame frame, bool leaf) {
  if (known_.has_name(frame)) return true;
  if (frame.kind() == wire::FrameKind::kReadyToRun) return precompiled_.declare(frame, leaf, &code_);
  return known_.code.count(frame.code()) == 0 && notes_.has_name(frame.code());
}

// Code that had not been declared: where there is no note, all that is known is that it is there.
void Recovery::declare(wire::Frame frame) {
  if (!frame.has_code() || known_.code.count(frame.code()) != 0 || !declared_.insert(frame.code()).second)
    return;
  if (notes_.declare(frame.code(), &code_)) return;
  if (frame.kind() == wire::FrameKind::kJitted) {
    wire::JitCode record;
    record.code = frame.code();
    wire::encode(record, code_);
  } else {
    wire::Module record;
    record.code = frame.code();
    if (frame.kind() == wire::FrameKind::kReadyToRun) record.kind = wire::ModuleKind::kReadyToRun;
    wire::encode(record, code_);
  }
}

// The agent says its own threads at a recording's end. What they used is known, which of them used it is not.
void Recovery::emit_own_threads(std::string* out) const {
  const wire::Counters& counted = known_.counters;
  if (counted.agent_threads_ns == 0) return;
  wire::Thread record;
  record.id = base::ThreadId(known_.highest_thread.value + 1);
  record.os_name = "walkabout";
  record.kind = wire::ThreadKind::kAgent;
  record.start_us = counted.time_us;
  wire::encode(record, *out);
  wire::encode(wire::ThreadEnd{record.id, counted.time_us, counted.agent_threads_ns}, *out);
}

namespace {

// samples: that a reader has; summed: those of them that were never in a ring. earlier: what recordings
// before counted.
template <typename Counted, typename Account>
void fill_account(const Account& memory, const Counted* earlier, uint64_t samples, uint64_t summed,
                  Counted* to) {
  to->samples = samples;
  to->attempts = memory.attempts + summed;
  to->drops.assign(memory.drops.begin(), memory.drops.end());
  if (earlier != nullptr) {
    subtract(earlier->attempts, &to->attempts);
    for (size_t i = 0; i < std::min(to->drops.size(), earlier->drops.size()); ++i)
      subtract(earlier->drops[i], &to->drops[i]);
  }
  const uint64_t outcomes = std::accumulate(to->drops.begin(), to->drops.end(), samples);
  to->drops[kKilled] += to->attempts > outcomes ? to->attempts - outcomes : 0;
  to->attempts = std::accumulate(to->drops.begin(), to->drops.end(), samples);
}

}  // namespace

void Recovery::emit_counters(std::string* out) {
  const wire::Counters& before = known_.before;
  subtract(before.handler_ns, &totals_.handler_ns);
  subtract(before.walk_frames, &totals_.walk_frames);
  subtract(before.timer_overruns, &totals_.timer_overruns);
  wire::Counters record = known_.counters;
  record.time_us = std::max(record.time_us, last_us_);
  record.process_cpu_ns = std::min(record.process_cpu_ns + weight_ns_, kMaxTime);
  record.handler_ns = std::min(totals_.handler_ns, kMaxTime);
  record.walk_frames = totals_.walk_frames;
  record.timer_overruns = totals_.timer_overruns;
  fill_account(accounts_[wire::kCpuSource.value - 1], &before, known_.samples, 0, &record);
  record.sources.clear();
  for (const auto& [source, declared] : known_.sources) {
    if (source == wire::kCpuSource || source.value > wire::kMostSources) continue;
    const auto count_in = [id = source](const auto& counts) {
      const auto at = counts.find(id);
      return at == counts.end() ? 0 : at->second;
    };
    const auto earlier = std::find_if(before.sources.begin(), before.sources.end(),
                                      [id = source](const auto& s) { return s.source == id; });
    wire::SourceCounters counted;
    counted.source = source;
    fill_account(accounts_[source.value - 1], earlier == before.sources.end() ? nullptr : &*earlier,
                 count_in(known_.other_samples), count_in(known_.summed), &counted);
    record.sources.push_back(counted);
  }
  wire::encode(record, *out);
}

void Recovery::emit_message(bool too_large, std::string* out) const {
  if (samples_ == 0 && calls_ == 0 && !too_large) return;
  wire::Message record;
  record.time_us = last_us_;
  record.text = "the last " + (calls_ != 0 ? counted(calls_, "call") : counted(samples_, "sample")) +
                " came from the program's memory: its recording ended before it handed them over";
  if (unnamed_ != 0) {
    record.text += "; " + counted(unnamed_, "frame") + " in code that had not been named yet";
    if (lost_notes_ != 0)
      record.text += " (" + counted(lost_notes_, "name") + " had given way to newer ones)";
  }
  if (!unknown_texts_.empty()) {
    record.text += "; names of types or methods, or messages, that are not known: " +
                   std::to_string(unknown_texts_.size());
    if (lost_texts_ != 0) record.text += " (the notes about them were full)";
  }
  if (too_large) {
    record.severity = wire::Severity::kWarning;
    record.text += "; there was more than fits into an agent's memory, which was left";
  }
  wire::encode(record, *out);
}

}  // namespace walkabout::cli
