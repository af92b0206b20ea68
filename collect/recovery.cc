#include "collect/recovery.h"

#include <algorithm>
#include <numeric>

#include "console/numbers.h"
#include "wire/encode.h"

namespace walkabout::cli {
namespace {

constexpr uint64_t kMostTime = uint64_t{1} << 52;  // recording/format.md
constexpr auto kCorrupt = static_cast<size_t>(wire::DropCause::kCorrupt);
constexpr auto kKilled = static_cast<size_t>(wire::DropCause::kKilled);
constexpr uint8_t kAllFlags = static_cast<uint8_t>(wire::SampleFlag::kInGc) |
                              static_cast<uint8_t>(wire::SampleFlag::kInJit) |
                              static_cast<uint8_t>(wire::SampleFlag::kLeftOut);

bool plausible(const wire::RawSample& raw) {
  if (raw.end >= wire::WalkEnd::kCount || (raw.flags & ~kAllFlags) != 0 || raw.value > kMostTime)
    return false;
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  return std::all_of(frames, frames + raw.frames, [](wire::Frame f) {
    return f.kind() >= wire::FrameKind::kNative && f.kind() <= wire::FrameKind::kUnreported &&
           (!f.has_code() || f.code().valid());
  });
}

template <typename Totals>
void add_to(wire::Counters* sum, const Totals& part) {
  sum->attempts += part.attempts;
  sum->handler_ns += part.handler_ns;
  sum->walk_frames += part.frames;
  sum->timer_overruns += part.overruns;
  for (size_t i = 0; i < std::size(part.drops); ++i) sum->drops[i] += part.drops[i];
}

// The memory counts from the stream's beginning, a recording from its own. Whose counts are hostile may be
// less.
void subtract(const wire::Counters& before, wire::Counters* from) {
  const auto less = [](uint64_t* n, uint64_t by) { *n -= std::min(*n, by); };
  less(&from->attempts, before.attempts);
  less(&from->handler_ns, before.handler_ns);
  less(&from->walk_frames, before.walk_frames);
  less(&from->timer_overruns, before.timer_overruns);
  for (size_t i = 0; i < std::min(from->drops.size(), before.drops.size()); ++i)
    less(&from->drops[i], before.drops[i]);
}

}  // namespace

base::Status Recovery::run(RingFile& rings, const Sink& sink) {
  totals_.drops.assign(static_cast<size_t>(wire::DropCause::kCount), 0);
  add_to(&totals_, rings.gone());
  notes_ = NotedCode(rings.read_notes(&lost_notes_));
  for (uint32_t i = 0; i < wire::kMaxSlots; ++i) {
    wire::SlotHeader* slot = rings.read_slot(i);
    if (slot == nullptr) continue;
    std::string records;
    take_slot(*slot, rings.ring_size(), &records);
    add_to(&totals_, *slot);  // afterwards: what is damaged is counted there
    if (records.empty()) continue;
    if (base::Status s = sink(records); !s.ok()) return s;
  }
  std::string records;
  emit_own_threads(&records);
  emit_counters(&records);
  say_message(rings.too_large(), &records);
  return sink(records);
}

void Recovery::take_slot(wire::SlotHeader& slot, uint32_t ring_size, std::string* out) {
  const base::ThreadId thread(slot.thread);
  wire::Samples samples;
  samples.thread = thread;
  code_.clear();
  nodes_ = {};
  const uint32_t first_node = next_node_;
  // Numbers below this one came through the stream, or were damaged.
  const auto first = static_cast<uint32_t>(known_.stream_samples_of(thread) + slot.drops[kCorrupt]);
  wire::Consumer ring(&slot, ring_size);
  for (const wire::RawSample* raw = ring.next(); raw != nullptr; raw = ring.next()) {
    if (static_cast<int32_t>(raw->index - first) >= 0 && !add_sample(*raw, &samples)) {
      slot.drops[kCorrupt] += 1;  // and nothing behind it is believed
      break;
    }
    ring.pass();
  }
  if (samples.time_us.empty()) return;
  if (!known_.knows(thread)) {
    wire::Thread record;
    record.id = thread;
    record.tid = slot.tid;
    record.start_us = samples.time_us.front();
    wire::encode(record, *out);
  }
  *out += code_;
  if (!nodes_.parent.empty()) wire::encode(nodes_, first_node, *out);
  wire::encode(samples, *out);
}

// The part of a weight that the process's CPU time in the last Counters does not hold: a thread uses no more
// than passes.
uint64_t Recovery::uncounted_ns(uint64_t weight_ns, uint64_t time_us) const {
  const uint64_t counted_us = known_.counters.time_us;  // 0: from the recording's beginning
  return std::min(weight_ns, (std::max(time_us, counted_us) - counted_us) * 1000);
}

bool Recovery::add_sample(const wire::RawSample& raw, wire::Samples* samples) {
  const uint64_t start = known_.session.monotonic_start_ns;
  const uint64_t time_us = (std::max(raw.time_ns, start) - start) / 1000;
  const bool later = samples->time_us.empty() || samples->time_us.back() <= time_us;
  if (!later || time_us > kMostTime || !plausible(raw)) return false;
  samples->time_us.push_back(time_us);
  samples->values.push_back(raw.value);
  samples->stack.push_back(intern(raw));
  samples->end.push_back(raw.end);
  samples->flags.push_back(raw.flags);
  ++samples_;
  weight_ns_ += uncounted_ns(raw.value, time_us);
  last_us_ = std::max(last_us_, time_us);
  return true;
}

// Nodes of the stream are said once more: readers put equal frames together.
base::StackId Recovery::intern(const wire::RawSample& raw) {
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  uint32_t parent = 0;
  for (size_t i = raw.frames; i-- > 0;) {
    const wire::Frame frame = frames[i].unmapped() ? frames[i].as_unnamed() : frames[i];
    const auto [node, fresh] = node_of_.try_emplace({parent, frame.bits}, next_node_);
    if (!has_name(frame)) ++unnamed_;
    if (fresh) {
      declare(frame);
      nodes_.parent.push_back(parent);
      nodes_.frame.push_back(frame);
      ++next_node_;
    }
    parent = node->second;
  }
  return base::StackId(parent);
}

bool Recovery::has_name(wire::Frame frame) const {
  return known_.has_name(frame) || (known_.code.count(frame.code()) == 0 && notes_.has_name(frame.code()));
}

// Code that had not been said: where there is no note, all that is known is that it is there.
void Recovery::declare(wire::Frame frame) {
  if (!frame.has_code() || known_.code.count(frame.code()) != 0 || !said_.insert(frame.code()).second) return;
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

void Recovery::emit_counters(std::string* out) {
  subtract(known_.before, &totals_);
  wire::Counters record = known_.counters;
  record.time_us = std::max(record.time_us, last_us_);
  record.process_cpu_ns = std::min(record.process_cpu_ns + weight_ns_, kMostTime);
  record.handler_ns = std::min(totals_.handler_ns, kMostTime);
  record.walk_frames = totals_.walk_frames;
  record.timer_overruns = totals_.timer_overruns;
  record.samples = known_.samples;
  record.drops = totals_.drops;
  uint64_t outcomes = record.samples;
  for (uint64_t d : record.drops) outcomes += d;
  record.drops[kKilled] += totals_.attempts > outcomes ? totals_.attempts - outcomes : 0;
  record.attempts = std::accumulate(record.drops.begin(), record.drops.end(), record.samples);
  wire::encode(record, *out);
}

void Recovery::say_message(bool too_large, std::string* out) const {
  if (samples_ == 0 && !too_large) return;
  wire::Message record;
  record.time_us = last_us_;
  record.text = "the last " + counted(samples_, "sample") +
                " came from the program's memory: its recording ended before it handed them over";
  if (unnamed_ != 0) {
    record.text += "; " + counted(unnamed_, "frame") + " in code that had not been named yet";
    if (lost_notes_ != 0)
      record.text += " (" + counted(lost_notes_, "name") + " had given way to newer ones)";
  }
  if (too_large) {
    record.severity = wire::Severity::kWarning;
    record.text += "; there was more than fits into an agent's memory, which was left";
  }
  wire::encode(record, *out);
}

}  // namespace walkabout::cli
