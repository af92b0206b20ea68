#include "agent/core/spooler.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/shared/error_out.h"
#include "base/clock.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
// Threads are named soon; a later name is seen as late as this.
constexpr uint64_t kNamedEarlyNs = 10 * kSecond;
// A compiling thread that waits for a processor reports its method late. A sample of such a method waits in
// its ring for so long.
constexpr uint64_t kReportWaitNs = 2 * kSecond;
constexpr size_t kCyclesKept = 4096;
constexpr uint32_t kWantedPercent = 33;  // of a ring
constexpr uint32_t kShortestPassMs = 2;
constexpr size_t kUnknownKept = 16;
constexpr size_t kWrittenAtOnce = 1 << 20;
constexpr uint64_t kSettleNs = kSecond;  // on a busy machine a thread may be switched out in its handler
constexpr unsigned kSettleUs = 1000;

// Weights are said in whole microseconds, what is left of one with the next: two bytes a sample less to
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

Spooler::Spooler(const Parts& parts, wire::Session session, const Options& options)
    : registry_(parts.registry),
      threads_(parts.threads),
      out_(parts.out),
      info_(parts.info),
      callbacks_(parts.callbacks),
      session_(std::move(session)),
      options_(options),
      code_(std::make_unique<CodeWriter>(parts.registry, parts.info)) {
  if (options.budget_ppm != 0) budget_.emplace(options.budget_ppm, session_.interval_ns);
  wire::encode(session_, buffer_);
}

base::Status Spooler::start(uint32_t pass_ms) {
  pass_ms_ = pass_ms;
  {
    const base::Lock lock(mutex_);
    standing_ = messages_;
  }
  return thread_.start("walkabout-spool", &tid_, [this] { run(); });
}

bool Spooler::stop(uint32_t timeout_ms, uint64_t process_cpu_ns) {
  if (!thread_.running()) return true;
  const pid_t tid = tid_.load();
  {
    const base::Lock lock(mutex_);
    stopped_ = {process_cpu_ns, tid == 0 ? 0 : thread_cpu_ns(tid)};
    stopping_ = true;
    wake_.notify_all();
  }
  const std::chrono::milliseconds timeout(timeout_ms);
  const uint64_t latest_ns = base::monotonic_ns() + kLongestStopNs;
  bool done = wait_for_end(tid, timeout, latest_ns);
  if (!done) {
    out_.cut();  // it waits for a collector that does not read
    done = wait_for_end(tid, timeout, latest_ns);
  }
  if (done)
    thread_.join();
  else
    thread_.detach();
  return done;
}

// A thread that waits for a collector or for a lock of the CLR's uses no CPU time; one that a busy machine
// gives little of a processor uses some, and is waited for again.
bool Spooler::wait_for_end(pid_t tid, std::chrono::milliseconds timeout, uint64_t latest_ns) {
  base::Lock lock(mutex_);
  for (;;) {
    const uint64_t before = tid == 0 ? 0 : thread_cpu_ns(tid);
    if (wake_.wait_for(lock.waiting(), timeout, [this]() WALKABOUT_REQUIRES(mutex_) { return finished_; }))
      return true;
    const uint64_t now = tid == 0 ? 0 : thread_cpu_ns(tid);
    const std::chrono::nanoseconds used(now > before ? now - before : 0);
    if (used < timeout / kLeastShare || base::monotonic_ns() >= latest_ns) return false;
  }
}

bool Spooler::at_rest() {
  const base::Lock lock(mutex_);
  return tid_.load() == 0 || finished_;
}

void Spooler::say(wire::Severity severity, std::string text) {
  const base::Lock lock(mutex_);
  messages_.push_back({base::monotonic_ns(), severity, std::move(text)});
}

void Spooler::run() {
  pass(false);  // who we are, before anything can end us
  for (;;) {
    bool final = false;
    {
      base::Lock lock(mutex_);
      wake_.wait_for(lock.waiting(), std::chrono::milliseconds(next_pass_ms()),
                     [this]() WALKABOUT_REQUIRES(mutex_) { return stopping_; });
      final = stopping_;
    }
    if (!broken_.load()) {
      pass(final);
    } else {
      registry_.forget_unloaded();  // code comes and goes as before
    }
    if (!final) look_at_collector();
    if (!final) continue;
    out_.close();
    const base::Lock lock(mutex_);
    finished_ = true;
    wake_.notify_all();
    return;
  }
}

void Spooler::look_at_collector() {
  if (when_done_ && out_.collector_is_done()) std::exchange(when_done_, nullptr)();
}

// Deep stacks fill a ring fast: then we come before the fullest one can be a third full again.
uint32_t Spooler::next_pass_ms() const {
  if (fullest_percent_ == 0) return pass_ms_;
  const uint64_t ms = last_pass_took_ns_ / 1'000'000 * kWantedPercent / fullest_percent_;
  return static_cast<uint32_t>(std::clamp<uint64_t>(ms, kShortestPassMs, pass_ms_));
}

void Spooler::pass(bool final) {
  fullest_percent_ = 0;
  const uint64_t now = base::monotonic_ns();
  last_pass_took_ns_ = now - last_pass_ns_;
  last_pass_ns_ = now;
  if (final) wait_for_ticks();
  threads_.view(&views_, std::exchange(fresh_, false));
  for (const ThreadView& view : views_) {
    spool_thread(view, now, final);
    if (buffer_.size() >= kWrittenAtOnce) write_out();
    if (broken_.load()) return;
  }
  {
    const base::Lock lock(mutex_);
    emit_messages(messages_);
    messages_.clear();
  }
  if (!final && budget_) keep_budget(now);
  const bool ends = final || is_long_enough(now);
  if (ends && !final) end_threads(now);
  emit_refused_threads(now, ends);
  if (ends) emit_own_threads(now);
  // With every batch of samples, so that a recording that is cut off adds up as well.
  if (ends || sampled_ || now - counters_emitted_ns_ >= kSecond) emit_counters(now, ends, final);
  sampled_ = false;
  if (ends) wire::encode(wire::End{us(now)}, buffer_);
  if (ends && !final) begin_next_recording(now);
  write_out();
  for (const base::CodeId code : registry_.forget_unloaded()) code_->forget(code);
}

void Spooler::write_out() {
  if (base::Status written = out_.write(buffer_); written.ok()) {
    hand_over();
  } else {
    give_up(written.message());
  }
  buffer_.clear();
  if (buffer_.capacity() > 2 * kWrittenAtOnce) buffer_.shrink_to_fit();
}

void Spooler::emit_thread(const ThreadView& view, Known& known, uint64_t now_ns) {
  const uint64_t look_every = now_ns - view.first_seen_ns < kNamedEarlyNs ? kSecond : kNamedEarlyNs;
  if (known.id == view.id && !view.changed && now_ns - known.named_ns < look_every) return;
  const bool fresh = known.id != view.id;
  if (fresh) {
    known = Known();
    known.id = view.id;
    known.sampled_cpu_ns = known.said_cpu_ns = view.counted_from_ns;
  }
  known.named_ns = now_ns;
  wire::Thread record;
  record.id = view.id;
  record.tid = static_cast<uint32_t>(view.tid);
  if (!view.ended) record.os_name = threads_.os_name(view.tid);  // else the number may be another thread's
  if (record.os_name.empty()) record.os_name = known.os_name;
  if (!fresh && !view.changed && record.os_name == known.os_name) return;
  known.os_name = record.os_name;
  if (view.changed || fresh) known.managed_name = view.managed_name;
  record.managed_name = known.managed_name;
  record.kind = view.managed ? wire::ThreadKind::kManaged : wire::ThreadKind::kNative;
  record.start_us = us(view.first_seen_ns);
  wire::encode(record, buffer_);
}

// Whether the sample has a method that the runtime has not reported yet, but may still report.
bool Spooler::awaits_report(const wire::RawSample& raw, uint64_t now_ns) const {
  if (now_ns >= raw.time_ns + kReportWaitNs) return false;
  const wire::Frame* frames = wire::Consumer::frames(&raw);
  for (uint32_t i = 0; i < raw.frames; ++i) {
    if (frames[i].kind() == wire::FrameKind::kUnreported &&
        code_->resolve(frames[i], i == 0) == frames[i].as_unnamed())
      return true;
  }
  return false;
}

void Spooler::spool_thread(const ThreadView& view, uint64_t now_ns, bool final) {
  if (known_.size() <= view.slot) known_.resize(view.slot + 1);
  Known& known = known_[view.slot];
  const bool fresh = known.id != view.id;
  wire::Consumer ring(threads_.shared(view.slot), threads_.ring_size());
  const wire::SlotHeader& shared = *threads_.shared(view.slot);
  const uint64_t used =
      shared.head.load(std::memory_order_relaxed) - shared.tail.load(std::memory_order_relaxed);
  fullest_percent_ = std::max(fullest_percent_, static_cast<uint32_t>(used * 100 / threads_.ring_size()));
  // Where room gets scarce it is given back at once: better a sample lost when the process is killed just now
  // than one lost for certain.
  const bool roomy = used * 2 < threads_.ring_size();
  const bool may_wait = roomy && !final && !view.ended;
  const wire::RawSample* raw = ring.next();
  // Names are looked up again while a thread is busy: many are named after their first samples.
  if (fresh || view.changed || raw != nullptr) emit_thread(view, known, now_ns);
  wire::Samples batch;
  batch.thread = view.id;
  for (; raw != nullptr; raw = ring.next()) {
    if (may_wait && awaits_report(*raw, now_ns)) {
      ring.leave();
      break;
    }
    if (tree_.size() + raw->frames > options_.most_nodes && tree_.size() != 0) {
      emit_batch(batch);
      begin_new_tree();
    }
    add_sample(view, *raw, known, batch);
    if (roomy) {
      ring.pass();
    } else {
      ring.release();
    }
  }
  read_.push_back({ring, view.ended ? std::optional(view.slot) : std::nullopt});
  emit_batch(batch);
  if (!view.ended) return;
  const uint64_t tail = known.say_until(known.sampled_cpu_ns + view.unsampled_ns);
  wire::encode(wire::ThreadEnd{view.id, us(now_ns), tail, view.without_clock}, buffer_);
  known = Known();
}

void Spooler::add_sample(const ThreadView& view, const wire::RawSample& raw, Known& known,
                         wire::Samples& batch) {
  batch.time_us.push_back(us(raw.time_ns));
  batch.values.push_back(known.say_until(whole_us(known.sampled_cpu_ns += raw.weight_ns)));
  bool told_late = false;
  batch.stack.push_back(intern(raw, known.last, &told_late));
  batch.end.push_back(told_late && raw.end == wire::WalkEnd::kRooted ? wire::WalkEnd::kGap : raw.end);
  batch.flags.push_back(raw.flags);
  if (raw.oracle != 0) add_oracle(view, raw, known.samples);
  if (raw.end != wire::WalkEnd::kRooted) note_failed_walk(raw);
  if (cycles_.size() >= kCyclesKept) cycles_.erase(cycles_.begin(), cycles_.begin() + kCyclesKept / 2);
  cycles_.push_back(raw.cycles);
  ++known.samples;
  sampled_ = true;
}

// Samples of one thread behind the nodes they are on, and what the CLR said of them.
void Spooler::emit_batch(wire::Samples& batch) {
  flush_nodes();
  if (!batch.time_us.empty()) {
    if (all_zero(batch.flags)) batch.flags.clear();
    if (std::all_of(batch.end.begin(), batch.end.end(),
                    [](wire::WalkEnd e) { return e == wire::WalkEnd::kRooted; })) {
      batch.end.clear();
    }
    wire::encode(batch, buffer_);
    wire::Samples next;
    next.thread = batch.thread;
    batch = std::move(next);
  }
  buffer_ += oracle_;
  oracle_.clear();
}

// REQUIRES: what was added to the tree was said.
void Spooler::begin_new_tree() {
  tree_.clear();
  first_node_ = 1;
  nodes_.new_tree = true;  // when there are some
  for (Known& known : known_) known.last = {};
}

// Written out is with the collector, also if we are killed now.
void Spooler::hand_over() {
  for (ReadRing& read : read_) {
    read.ring.release();
    if (read.ended) threads_.release(*read.ended);
  }
  read_.clear();
}

// Most of a stack is as it was in the thread's sample before: from the root end on, equal frames keep their
// ids, up to one that may have a name by now.
//
// told_late: set when the interrupted method was announced only after the tick. The walk guessed which word
// on the stack was its return address, so a gap goes between the method and its callers.
base::StackId Spooler::intern(const wire::RawSample& raw, LastStack& last, bool* told_late) {
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
      *told_late = true;
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
    nodes_.parent.push_back(parent.value);
    nodes_.frame.push_back(frame);
  }
  return id;
}

void Spooler::add_oracle(const ThreadView& view, const wire::RawSample& raw, uint64_t index) {
  wire::Oracle record;
  record.thread = view.id;
  record.sample = index;
  const auto state = static_cast<wire::OracleState>(raw.oracle);
  record.seeded = state != wire::OracleState::kNoSeed;
  record.clr_first = state == wire::OracleState::kAskedFirst;
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

// The program goes on; its user is told once.
void Spooler::give_up(const std::string& cause) {
  broken_.store(true);
  tree_ = StackTree();
  say_on_error_out("recording stopped: " + cause);
}

// The clocks are stopped; ticks that are in their handlers are waited for, so that each has its outcome.
void Spooler::wait_for_ticks() {
  for (const uint64_t end_ns = base::monotonic_ns() + kSettleNs; base::monotonic_ns() < end_ns;) {
    const ThreadTable::Totals totals = threads_.totals();
    if (totals.attempts == totals.samples + totals.all_drops()) return;
    ::usleep(kSettleUs);
  }
}

}  // namespace walkabout::agent
