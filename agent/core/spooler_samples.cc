// From raw samples to records: stacks by their nodes, samples by thread and source, the CLR's walks beside
// them.
#include <algorithm>
#include <span>
#include <utility>

#include "agent/core/spooler.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr size_t kCyclesKept = 4096;
constexpr size_t kUnknownKept = 16;

// Weights are emitted in whole microseconds, what is left of one with the next: two bytes a sample less to
// compress, and sums stay exact.
uint64_t whole_us(uint64_t ns) { return ns - ns % 1000; }

bool all_zero(const std::vector<uint8_t>& v) {
  return std::all_of(v.begin(), v.end(), [](uint8_t f) { return f == 0; });
}

// The CLR's walk begins at the first frame that was managed code to the walk (agent/linux/handler/handler).
uint32_t frames_above_seed(const wire::RawSample& raw) {
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  const wire::Frame* end = frames + raw.frames;
  const wire::Frame* seed = std::find_if(frames, end, [](wire::Frame frame) { return frame.managed(); });
  return seed == end ? 0 : static_cast<uint32_t>(seed - frames);
}

}  // namespace

// As the recording has its source. CPU time is divided among the ticks' samples alone.
bool Spooler::is_declared(const wire::RawSample& raw, const Owner& owner) const {
  const Shape& shape = shapes_[raw.source - 1];
  const bool cpu = base::SourceId(raw.source) == wire::kCpuSource;
  return shape.values == uint32_t{1} + raw.more_values && shape.labels == raw.labels &&
         (!cpu || owner.origin == wire::SampleOrigin::kTick);
}

Spooler::Batch& Spooler::batch_of(const Owner& owner, const wire::RawSample& raw) {
  const base::SourceId source(raw.source);
  const auto [batch, fresh] = batches_.try_emplace(BatchKey(owner.thread, source, owner.origin));
  if (fresh) {
    batch->second.samples.thread = owner.thread;
    batch->second.samples.source = source;
    batch->second.samples.origin = owner.origin;
    batch->second.more_values.resize(raw.more_values);
    batch->second.labels.resize(raw.labels);
  }
  return batch->second;
}

void Spooler::add_sample(const Owner& owner, const wire::RawSample& raw) {
  Known& known = *owner.known;
  const bool cpu = base::SourceId(raw.source) == wire::kCpuSource;
  Batch& batch = batch_of(owner, raw);
  wire::Samples& samples = batch.samples;
  const uint64_t time_us = us(raw.time_ns);
  samples.time_us.push_back(samples.time_us.empty() ? time_us : std::max(time_us, samples.time_us.back()));
  samples.values.push_back(cpu ? known.emit_until(whole_us(known.sampled_cpu_ns += raw.value)) : raw.value);
  for (size_t i = 0; i < batch.more_values.size(); ++i)
    batch.more_values[i].push_back(wire::Consumer::more_values(&raw)[i]);
  for (size_t i = 0; i < batch.labels.size(); ++i) batch.labels[i].push_back(wire::Consumer::labels(&raw)[i]);
  emit_texts(shapes_[raw.source - 1], wire::Consumer::labels(&raw));
  bool reported_late = false;
  samples.stack.push_back(intern(raw, known.last[static_cast<size_t>(owner.origin)], &reported_late));
  samples.end.push_back(reported_late && raw.end == wire::WalkEnd::kRooted ? wire::WalkEnd::kGap : raw.end);
  samples.flags.push_back(raw.flags);
  add_awaiters(raw, reported_late, &samples);
  sampled_ = true;
  if (raw.end != wire::WalkEnd::kRooted) note_failed_walk(raw);
  if (owner.origin == (cpu ? wire::SampleOrigin::kTick : wire::SampleOrigin::kCallback)) {
    uint64_t& samples_before = known.samples[raw.source - 1];
    if (raw.oracle != 0) add_oracle(owner.thread, raw, samples_before);
    ++samples_before;
  }
  if (!cpu) return;
  if (cycles_.size() >= kCyclesKept) cycles_.erase(cycles_.begin(), cycles_.begin() + kCyclesKept / 2);
  cycles_.push_back(raw.cycles);
}

void Spooler::add_sum(const Tally::Sum& sum, uint64_t now_ns) {
  const Shape& shape = shapes_[sum.source.value - 1];
  if (shape.values == 0 || shape.values > Tally::kMostValues || shape.labels > Tally::kMostLabels) return;
  const auto [at, fresh] = batches_.try_emplace(BatchKey(sum.thread, sum.source, wire::SampleOrigin::kTally));
  Batch& batch = at->second;
  wire::Samples& samples = batch.samples;
  if (fresh) {
    samples.thread = sum.thread;
    samples.source = sum.source;
    samples.origin = wire::SampleOrigin::kTally;
    batch.more_values.resize(shape.values - 1);
    batch.labels.resize(shape.labels);
  }
  samples.time_us.push_back(us(now_ns));
  samples.values.push_back(sum.values[0]);
  for (size_t i = 0; i < batch.more_values.size(); ++i) batch.more_values[i].push_back(sum.values[i + 1]);
  for (size_t i = 0; i < batch.labels.size(); ++i) batch.labels[i].push_back(sum.labels[i]);
  emit_texts(shape, sum.labels.data());
  samples.stack.push_back(child({}, wire::Frame::not_walked(), true));
  samples.end.push_back(wire::WalkEnd::kNotWalked);
  samples.flags.push_back(0);
  samples.async_joint.push_back(0);
  samples.awaiter.emplace_back();
  ++summed_[sum.source.value - 1];
  sampled_ = true;
}

// Before the samples that have it. A text that its thread has not written yet comes with a later one.
void Spooler::emit_texts(const Shape& shape, const uint64_t* labels) {
  for (const size_t i : shape.texts) emit_text(base::TextId(static_cast<uint32_t>(labels[i])), false);
  for (const size_t i : shape.messages) emit_text(base::TextId(static_cast<uint32_t>(labels[i])), true);
}

void Spooler::emit_text(base::TextId id, bool message) {
  if (!id.valid() || texts_ == nullptr || emitted_texts_.count(id) != 0) return;
  std::string text = texts_->text(id);
  if (text.empty()) return;
  emitted_texts_.insert(id);
  wire::encode(message ? wire::Text{id, {}, std::move(text)} : wire::Text{id, std::move(text), {}}, buffer_);
}

// Samples behind the nodes they are on, and the CLR's walks of them.
void Spooler::emit_batches() {
  flush_nodes();
  for (auto& [key, batch] : batches_) {
    wire::Samples& samples = batch.samples;
    if (all_zero(samples.flags)) samples.flags.clear();
    if (std::all_of(samples.end.begin(), samples.end.end(),
                    [](wire::WalkEnd e) { return e == wire::WalkEnd::kRooted; })) {
      samples.end.clear();
    }
    for (const auto& column : batch.more_values)
      samples.values.insert(samples.values.end(), column.begin(), column.end());
    for (const auto& column : batch.labels)
      samples.labels.insert(samples.labels.end(), column.begin(), column.end());
    wire::encode(samples, buffer_);
  }
  batches_.clear();
  buffer_ += oracle_;
  oracle_.clear();
}

// REQUIRES: what was added to the tree was emitted.
void Spooler::begin_new_tree() {
  tree_.clear();
  first_node_ = 1;
  nodes_.new_tree = true;  // when there are some
  for (Known& known : known_) known.last = {};
  of_gone_ = Known();
}

// Most of a stack is as it was in the thread's sample before: from the root end on, equal frames keep their
// ids, up to one that may have a name by now.
//
// reported_late: set when the interrupted method was announced only after the tick. The walk guessed which
// word on the stack was its return address, so a gap goes between the method and its callers.
base::StackId Spooler::intern(const wire::RawSample& raw, LastStack& last, bool* reported_late) {
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  size_t same = 0;
  while (same < raw.frames && same < last.frames.size() &&
         last.frames[same] == frames[raw.frames - 1 - same] && !last.frames[same].unmapped())
    ++same;
  last.frames.resize(same);
  last.ids.resize(same);
  for (size_t i = same; i < raw.frames; ++i) {
    const size_t from_leaf = raw.frames - 1 - i;
    const wire::Frame frame = code_->resolve(frames[from_leaf], from_leaf == 0);
    base::StackId parent = last.ids.empty() ? base::StackId() : last.ids.back();
    if (from_leaf == 0 && frames[0].kind() == wire::FrameKind::kStub && frame.managed()) {
      *reported_late = true;
      parent = child(parent, wire::Frame::gap(), false);
    }
    last.frames.push_back(frames[from_leaf]);
    last.ids.push_back(child(parent, frame, from_leaf == 0));
  }
  return last.ids.empty() ? base::StackId() : last.ids.back();
}

base::StackId Spooler::child(base::StackId parent, wire::Frame frame, bool leaf) {
  bool fresh = false;
  const base::StackId id = tree_.child(parent, frame, &fresh);
  if (fresh) {
    code_->declare(frame, leaf, &buffer_);
    if (async_ != nullptr && frame.kind() == wire::FrameKind::kReadyToRun)
      async_->see(frame, code_->function_of(frame, leaf));
    nodes_.parent.push_back(parent.value);
    nodes_.frame.push_back(frame);
  }
  return id;
}

// Where the stack stops telling callers, of a sample whose frame `unseen` nobody had looked at: all were
// looked at by now, but for those that cannot be. A MoveNext that was started has its caller on the stack. 0:
// nowhere.
uint32_t Spooler::joint_of(const wire::RawSample& raw, uint32_t unseen) const {
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  const auto role = [this, frames](uint32_t i) {
    const wire::Frame frame = code_->resolve(frames[i], i == 0);
    return frame.managed() ? async_->role_of(frame) : uint32_t{unwind::kRoleOrdinary};
  };
  for (uint32_t i = unseen - 1; i < raw.frames; ++i) {
    const uint32_t here = role(i);
    if (here == unwind::kRoleUnseen) return i + 1;
    if (here < unwind::kRoleOpaque) continue;
    const uint32_t caller = i + 1 < raw.frames ? role(i + 1) : uint32_t{unwind::kRoleOrdinary};
    if (!unwind::starts_methods(caller)) return i + 1;
  }
  return 0;
}

// What was found when the sample's thread went on. Null: nothing, or not of this stack.
const OwedAwaiters::Answer* Spooler::answer_for(const wire::RawSample& raw) const {
  const uint64_t ticket = raw.awaiters == 1 ? wire::Consumer::awaiters(&raw)->async_ticket() : 0;
  if (owed_ == nullptr || ticket == 0) return nullptr;
  const OwedAwaiters::Answer* answer = owed_->find(ticket);
  if (answer == nullptr || answer->joint == 0) return answer;
  const bool fits = answer->outer < raw.frames &&
                    wire::Consumer::frames(&raw)[raw.frames - answer->outer - 1] == answer->resumed;
  return fits ? answer : nullptr;
}

// The outermost that awaits is a root. A stack that was reported late has a frame more.
void Spooler::add_awaiters(const wire::RawSample& raw, bool reported_late, wire::Samples* samples) {
  const wire::Frame* first = wire::Consumer::awaiters(&raw);
  std::span<const wire::Frame> awaiters(first, raw.awaiters);
  uint32_t joint = async_ == nullptr ? 0 : raw.async_joint;
  uint32_t unseen = async_ == nullptr ? 0 : raw.async_unseen;
  if (const OwedAwaiters::Answer* answer = answer_for(raw); answer != nullptr) {
    awaiters = answer->awaiters;
    joint = answer->joint == 0 ? 0 : raw.frames - answer->outer;
    unseen = answer->unseen ? 1 : 0;
  }
  base::StackId awaiter;
  const uint32_t joint_now = unseen == 0 ? joint : joint_of(raw, unseen);
  if (joint_now != joint) {
    joint = joint_now;
    if (joint != 0) awaiter = child({}, wire::Frame::async_unknown(wire::AsyncUnknown::kNotSeen), false);
  } else if (joint != 0) {
    for (size_t i = awaiters.size(); i-- > 0;) awaiter = child(awaiter, awaiters[i].without_ticket(), false);
  }
  if (joint != 0 && reported_late) ++joint;
  samples->async_joint.push_back(joint);
  samples->awaiter.push_back(awaiter);
}

void Spooler::add_oracle(base::ThreadId thread, const wire::RawSample& raw, uint64_t index) {
  wire::Oracle record;
  record.thread = thread;
  record.source = base::SourceId(raw.source);
  record.sample = index;
  const auto state = static_cast<wire::OracleState>(raw.oracle);
  record.seeded = state != wire::OracleState::kNoSeed;
  record.clr_first = state == wire::OracleState::kRequestedFirst;
  record.hresult = raw.hresult;
  record.our_cycles = raw.cycles;
  record.clr_cycles = raw.clr_cycles;
  record.above_seed = record.seeded ? frames_above_seed(raw) : 0;
  const wire::Frame* walked = wire::Consumer::frames(&raw);
  const auto* frames = reinterpret_cast<const wire::Frame*>(wire::Consumer::clr_frames(&raw));
  for (uint32_t i = 0; i < raw.clr_frames; ++i) {
    // Where our walk left the same method by its own unwind data, both say the same of it.
    const wire::Frame unreported = wire::Frame::at_address(wire::FrameKind::kUnreported, frames[i].address());
    const bool ours =
        frames[i].unmapped() && std::find(walked, walked + raw.frames, unreported) != walked + raw.frames;
    const wire::Frame frame = code_->resolve(ours ? unreported : frames[i], i == 0);
    code_->declare(frame, i == 0, &buffer_);
    record.frames.push_back(frame);
  }
  wire::encode(record, oracle_);
}

void Spooler::note_failed_walk(const wire::RawSample& raw) {
  if (raw.frames == 0 || unknown_pc_.size() >= kUnknownKept) return;
  const wire::Frame last = wire::Consumer::frames(&raw)[raw.frames - 1];
  if (last.unmapped()) unknown_pc_.push_back(last.address());
}

void Spooler::flush_nodes() {
  if (nodes_.parent.empty()) return;
  wire::encode(nodes_, first_node_, buffer_);
  first_node_ += static_cast<uint32_t>(nodes_.parent.size());
  nodes_ = {};
}

}  // namespace walkabout::agent
