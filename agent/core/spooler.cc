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
constexpr uint32_t kWantedPercent = 33;  // of a ring
constexpr uint32_t kShortestPassMs = 2;
constexpr uint32_t kPassWithEventsMs = 50;
// While async methods are new, and for so long after the last new one.
constexpr uint32_t kLearningMs = 20;
constexpr uint64_t kLearningNs = kSecond / 2;
constexpr size_t kWrittenAtOnce = 1 << 20;
constexpr uint64_t kSettleNs = kSecond;  // on a busy machine a thread may be switched out in its handler
constexpr unsigned kSettleUs = 1000;
// A source's own thread may look at a thread as rarely as every ten seconds, and see its end then.
constexpr uint64_t kGoneKeptNs = 30 * kSecond;

}  // namespace

Spooler::Shape Spooler::shape_of(const wire::Source& source) {
  Shape shape{static_cast<uint32_t>(source.values.size()), static_cast<uint32_t>(source.labels.size())};
  for (size_t i = 0; i < source.labels.size(); ++i) {
    const bool message = source.labels[i].type == static_cast<uint32_t>(wire::LabelType::kMessage);
    if (wire::is_text(source.labels[i])) (message ? shape.messages : shape.texts).push_back(i);
  }
  return shape;
}

Spooler::Spooler(const Parts& parts, wire::Session session, const Options& options)
    : registry_(parts.registry),
      threads_(parts.threads),
      out_(parts.out),
      info_(parts.info),
      callbacks_(parts.callbacks),
      texts_(parts.texts),
      tally_(parts.tally),
      async_(parts.async),
      owed_(parts.owed),
      pending_(parts.pending),
      session_(std::move(session)),
      options_(options),
      sources_(options.sources),
      code_(std::make_unique<CodeWriter>(parts.registry, parts.info, options.lines)) {
  if (sources_.empty()) sources_.push_back(wire::cpu_source(session_));
  for (const wire::Source& source : sources_) shapes_[source.id.value - 1] = shape_of(source);
  if (options.budget_ppm != 0) budget_.emplace(options.budget_ppm, session_.interval_ns);
  emit_session();
}

void Spooler::emit_session() {
  wire::encode(session_, buffer_);
  for (const wire::Source& source : sources_) wire::encode(source, buffer_);
}

base::Status Spooler::start(uint32_t pass_ms) {
  const bool events = std::any_of(sources_.begin(), sources_.end(), [](const wire::Source& source) {
    return source.clock == static_cast<uint32_t>(wire::Clock::kEvent);
  });
  learnt_ns_ = base::monotonic_ns();  // what the program runs first is new
  longest_pass_ms_ = events ? kPassWithEventsMs : UINT32_MAX;
  pass_ms_ = std::min(pass_ms, longest_pass_ms_);
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
    stopped_ = {process_cpu_ns, thread_cpu_ns(tid)};
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
    const uint64_t before = thread_cpu_ns(tid);
    if (wake_.wait_for(lock.waiting(), timeout, [this]() WALKABOUT_REQUIRES(mutex_) { return finished_; }))
      return true;
    const uint64_t now = thread_cpu_ns(tid);
    const std::chrono::nanoseconds used(now > before ? now - before : 0);
    if (used < timeout / kLeastShare || base::monotonic_ns() >= latest_ns) return false;
  }
}

bool Spooler::at_rest() {
  const base::Lock lock(mutex_);
  return tid_.load() == 0 || finished_;
}

void Spooler::report(wire::Severity severity, std::string text) {
  const base::Lock lock(mutex_);
  messages_.push_back({base::monotonic_ns(), severity, std::move(text)});
}

void Spooler::run() {
  pass(false);  // who we are, before anything can end us
  for (;;) {
    bool final = false;
    {
      base::Lock lock(mutex_);
      wake_.wait_for(lock.waiting(), next_wait(), [this]() WALKABOUT_REQUIRES(mutex_) { return stopping_; });
      final = stopping_;
    }
    if (const uint64_t now = base::monotonic_ns(); !final && !is_pass_due(now)) {
      learn(now);
      continue;
    }
    if (!broken_.load()) {
      pass(final);
    } else {
      registry_.erase_unloaded();  // code comes and goes as before
      std::string unwritten;
      do_works(base::monotonic_ns(), final, unwritten);
    }
    if (!final) look_at_collector();
    if (!final) continue;
    if (pending_ != nullptr) end_pending();
    out_.close();
    const base::Lock lock(mutex_);
    finished_ = true;
    wake_.notify_all();
    return;
  }
}

void Spooler::do_works(uint64_t now_ns, bool last, std::string& records) {
  for (const auto& work : works_) work({now_ns, session_.monotonic_start_ns, records, *code_, last});
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

bool Spooler::is_learning(uint64_t now_ns) const {
  return async_ != nullptr && now_ns - learnt_ns_ < kLearningNs;
}

bool Spooler::is_pass_due(uint64_t now_ns) const {
  return !is_learning(now_ns) || now_ns - last_pass_ns_ >= uint64_t{next_pass_ms()} * 1'000'000;
}

std::chrono::milliseconds Spooler::next_wait() const {
  const uint32_t pass_ms = next_pass_ms();
  return std::chrono::milliseconds(is_learning(base::monotonic_ns()) ? std::min(pass_ms, kLearningMs)
                                                                     : pass_ms);
}

void Spooler::learn(uint64_t now_ns) {
  if (async_ == nullptr) return;
  async_->learn(now_ns);
  if (std::exchange(learnt_, async_->learnt()) != async_->learnt()) learnt_ns_ = now_ns;
  if (async_->full() && !std::exchange(reported_full_, true))
    report(wire::Severity::kWarning,
           "there is no room for more classes and methods of async stacks: of those that came later awaiters "
           "are unknown");
}

void Spooler::pass(bool final) {
  fullest_percent_ = 0;
  const uint64_t now = base::monotonic_ns();
  last_pass_took_ns_ = now - last_pass_ns_;
  last_pass_ns_ = now;
  if (final) wait_for_ticks();
  learn(now);
  do_works(now, final, buffer_);
  if (!final) spool_pending(now);
  threads_.view(&views_, std::exchange(fresh_, false));
  // The agent's own threads first: samples of a thread come before its end.
  view_of_.clear();
  newest_ = base::ThreadId();
  gone_.erase_ended_before(now - std::min(now, kGoneKeptNs));
  has_writer_ = tally_ != nullptr;
  if (tally_ != nullptr) spool_sums(now, final);
  if (texts_ != nullptr) {
    texts_->make_room();
    if (texts_->refused() != 0 && !std::exchange(reported_texts_, true))
      report(
          wire::Severity::kWarning,
          "there is no room for more texts: types, methods, names or messages that come later are not known");
  }
  for (const ThreadView& view : views_) {
    if (!view.writer) continue;
    has_writer_ = true;
    spool_writer(view, now, final);
    if (std::exchange(scarce_, false)) write_out();
  }
  for (const ThreadView& view : views_) {
    if (view.writer) continue;
    spool_thread(view, now, final);
    if (std::exchange(scarce_, false) || buffer_.size() >= kWrittenAtOnce) write_out();
    if (broken_.load()) return;
  }
  const bool ends = final || is_long_enough(now);
  emit_il_maps(ends);
  {
    const base::Lock lock(mutex_);
    emit_messages(messages_);
    messages_.clear();
  }
  if (!final && budget_) keep_budget(now);
  if (ends && !final) end_threads(now);
  emit_refused_threads(now, ends);
  if (ends) emit_own_threads(now);
  // With every batch of samples, so that a recording that is cut off adds up as well.
  if (ends || sampled_ || now - counters_emitted_ns_ >= kSecond) emit_counters(now, ends, final);
  sampled_ = false;
  if (ends) wire::encode(wire::End{us(now)}, buffer_);
  if (ends && !final) begin_next_recording(now);
  write_out();
  for (const base::CodeId code : registry_.erase_unloaded()) code_->erase(code);
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
    known.sampled_cpu_ns = known.emitted_cpu_ns = view.counted_from_ns;
  }
  known.named_ns = now_ns;
  std::string os_name;
  if (!view.ended) os_name = threads_.os_name(view.tid);  // else the number may be another thread's
  if (os_name.empty()) os_name = known.os_name;
  if (!fresh && !view.changed && os_name == known.os_name) return;
  known.os_name = std::move(os_name);
  if (view.changed || fresh) known.managed_name = view.managed_name;
  wire::encode(thread_record(view, known), buffer_);
}

wire::Thread Spooler::thread_record(const ThreadView& view, const Known& known) const {
  wire::Thread record;
  record.id = view.id;
  record.tid = static_cast<uint32_t>(view.tid);
  record.os_name = known.os_name;
  record.managed_name = known.managed_name;
  record.kind = view.managed ? wire::ThreadKind::kManaged : wire::ThreadKind::kNative;
  record.start_us = us(view.first_seen_ns);
  return record;
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

// Whether the sample's thread stood, and it is still to be found who awaits its method.
bool Spooler::awaits_answer(const wire::RawSample& raw) const {
  return owed_ != nullptr && raw.awaiters == 1 &&
         !owed_->is_due(wire::Consumer::awaiters(&raw)->async_ticket());
}

Spooler::Known& Spooler::known_in(uint32_t slot) {
  if (known_.size() <= slot) known_.resize(slot + 1);
  return known_[slot];
}

// Reads what is in a lane. owner_of(raw): whose sample it is; of nobody where it is of no use.
template <typename OwnerOf>
void Spooler::spool_lane(wire::Consumer ring, uint64_t now_ns, bool may_wait, OwnerOf owner_of) {
  const uint64_t used = ring.used();
  fullest_percent_ = std::max(fullest_percent_, static_cast<uint32_t>(used * 100 / threads_.ring_size()));
  // Where room gets scarce, what was read is written at once, so that it can be given back. Not before: what
  // is neither in the ring nor written is lost when the process is killed.
  const bool roomy = used * 2 < threads_.ring_size();
  scarce_ = scarce_ || !roomy;
  for (const wire::RawSample* raw = ring.next(); raw != nullptr; raw = ring.next()) {
    if (may_wait && roomy && (awaits_report(*raw, now_ns) || awaits_answer(*raw))) {
      ring.leave();
      break;
    }
    const Owner owner = owner_of(*raw);
    if (may_wait && owner.comes_later) {
      ring.leave();
      break;
    }
    if (owner.known == nullptr || !is_declared(*raw, owner)) {
      ring.refuse();
      continue;
    }
    if (tree_.size() + raw->frames > options_.most_nodes && tree_.size() != 0) {
      emit_batches();
      begin_new_tree();
    }
    add_sample(owner, *raw);
    ring.pass();
  }
  read_.push_back({ring, std::nullopt});
}

void Spooler::spool_thread(const ThreadView& view, uint64_t now_ns, bool final) {
  Known& known = known_in(view.slot);
  const bool fresh = known.id != view.id;
  wire::Consumer ticks = threads_.ring(view.slot, wire::Lane::kHandler);
  wire::Consumer callbacks = threads_.ring(view.slot, wire::Lane::kCallback);
  // A header that something else has overwritten must not lead into memory that is not there.
  const bool called = threads_.has_callback_lane(view.slot) && callbacks.used() != 0;
  // Names are looked up again while a thread is busy: many are named after their first samples.
  if (fresh || view.changed || ticks.used() != 0 || called) emit_thread(view, known, now_ns);
  const bool may_wait = !final && !view.ended;
  const auto of_this_thread = [&](wire::SampleOrigin origin) {
    return [&view, &known, origin](const wire::RawSample& raw) {
      return raw.subject == 0 ? Owner{view.id, &known, origin} : Owner();
    };
  };
  spool_lane(ticks, now_ns, may_wait, of_this_thread(wire::SampleOrigin::kTick));
  if (called) spool_lane(callbacks, now_ns, may_wait, of_this_thread(wire::SampleOrigin::kCallback));
  emit_batches();
  if (!view.ended) return;
  read_.back().ended = view.slot;
  const uint64_t tail = known.emit_until(known.sampled_cpu_ns + view.unsampled_ns);
  wire::encode(wire::ThreadEnd{view.id, us(now_ns), tail, view.without_clock}, buffer_);
  if (has_writer_) gone_.add(now_ns, thread_record(view, known));
  if (tally_ != nullptr) emitted_sums_of_.push_back(view.id);  // it had ended before they were read
  known = Known();
}

// A thread of the agent's: what it captured of others.
void Spooler::spool_writer(const ThreadView& view, uint64_t now_ns, bool final) {
  if (!threads_.has_callback_lane(view.slot)) return;
  wire::Consumer ring = threads_.ring(view.slot, wire::Lane::kCallback);
  if (ring.used() == 0) return;
  index_views();
  spool_lane(ring, now_ns, !final, [this, now_ns](const wire::RawSample& raw) {
    return subject_of(base::ThreadId(raw.subject), now_ns);
  });
  emit_batches();
}

void Spooler::index_views() {
  if (!view_of_.empty()) return;
  for (size_t i = 0; i < views_.size(); ++i) view_of_.emplace(views_[i].id, i);
  newest_ = base::ThreadId();
  for (const ThreadView& view : views_) newest_ = std::max(newest_, view.id);
}

// What was added for a thread that came during this pass is left for the next.
void Spooler::spool_sums(uint64_t now_ns, bool final) {
  tally_->take([this, now_ns, final](const Tally::Sum& sum) {
    index_views();
    const Owner owner = subject_of(sum.thread, now_ns);
    if (owner.comes_later && !final) return Tally::Taken::kLeft;
    if (owner.known == nullptr) {
      tally_->lose(sum.source);
      return Tally::Taken::kLost;
    }
    add_sum(sum, now_ns);
    return Tally::Taken::kEmitted;
  });
  emit_batches();
}

Spooler::Owner Spooler::subject_of(base::ThreadId thread, uint64_t now_ns) {
  if (const auto living = view_of_.find(thread); living != view_of_.end()) {
    ThreadView& view = views_[living->second];
    if (view.writer) return {};
    Known& known = known_in(view.slot);
    if (known.id != view.id || view.changed) {
      emit_thread(view, known, now_ns);
      view.changed = false;
    }
    return {thread, &known, wire::SampleOrigin::kObserver};
  }
  if (!gone_.has(thread)) return {.comes_later = thread > newest_};
  if (const wire::Thread* record = gone_.to_emit(thread); record != nullptr) {
    wire::Thread again = *record;
    again.start_us = 0;  // before this recording
    wire::encode(again, buffer_);
  }
  if (of_gone_.id != thread) of_gone_ = Known();
  of_gone_.id = thread;
  return {thread, &of_gone_, wire::SampleOrigin::kObserver};
}

// Written out is with the collector, also if we are killed now.
void Spooler::hand_over() {
  for (ReadRing& read : read_) {
    read.ring.release();
    if (read.ended) threads_.release(*read.ended);
  }
  read_.clear();
  for (const base::ThreadId thread : std::exchange(emitted_sums_of_, {})) tally_->free_rows_of(thread);
}

// The program goes on; its user is told once.
void Spooler::give_up(const std::string& cause) {
  broken_.store(true);
  tree_ = StackTree();
  report_on_stderr("recording stopped: " + cause);
}

// The clocks are stopped; ticks that are in their handlers are waited for, so that each has its outcome.
void Spooler::wait_for_ticks() {
  for (const uint64_t end_ns = base::monotonic_ns() + kSettleNs; base::monotonic_ns() < end_ns;) {
    if (threads_.totals().settled()) return;
    ::usleep(kSettleUs);
  }
}

}  // namespace walkabout::agent
