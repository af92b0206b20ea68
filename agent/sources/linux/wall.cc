#include "agent/sources/linux/wall.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/linux/handler/handler.h"
#include "agent/sources/table.h"
#include "agent/sources/wall_declaration.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr base::SourceId kWall = wire::source_id("wall");
// A thread that stands still is looked at as rarely as this: so much of its time a killed process's recording
// lacks at most.
constexpr uint64_t kMostBetweenLooksNs = 2'000'000'000;
// What waits at every thread with a clock, so that it is seen as soon as a tick took it: it runs again.
constexpr uint64_t kCreditNs = 1'000'000;
// A thread that so many looks in a row found running is asked for its state every so many passes. In between
// its CPU clock is read.
constexpr uint32_t kSurelyRunning = 4;
constexpr uint64_t kPassesRunning = 4;
// A rider of a thread that stood still is looked for every so many passes.
constexpr uint64_t kPassesRiders = 4;
// Looks at threads that ran take at most this share of the time, but kLeastLooksNs in a pass. Who is not
// looked at is the first in the next pass.
constexpr uint64_t kMostLooksShare = 50;
constexpr uint64_t kLeastLooksNs = 100'000;
// Running time that no tick took for so long has a sample without a stack.
constexpr uint64_t kUntakenNs = 1'000'000'000;
constexpr uint64_t kWithoutStackNs = 1'000'000;
// Of a thread that ends just now the kernel tells nothing either.
constexpr uint32_t kUnknownLooks = 8;
// A pass that comes so much later than planned, and two periods, was held up.
constexpr uint64_t kInterruptedNs = 250'000'000;
constexpr uint64_t kLastSamplesNs = 2'000'000'000;  // without room for one more sample, at the end
constexpr unsigned kRoomLookUs = 2000;
constexpr size_t kLabelWords = 4;

uint64_t state_label(wire::ThreadState state) { return static_cast<uint64_t>(state); }
uint64_t call_label(int64_t call) { return call < 0 ? 0 : static_cast<uint64_t>(call) + 1; }

Subject without_stack() {
  static constexpr wire::Frame kNoStack = wire::Frame::gap();
  Subject subject;
  subject.frames = {&kNoStack, 1};
  subject.end = wire::WalkEnd::kGap;
  return subject;
}

}  // namespace

std::unique_ptr<Source> make_wall_source() { return std::make_unique<WallSource>(); }

wire::Source WallSource::declaration(uint64_t period_ns) const { return wall_declaration(period_ns); }

base::Status WallSource::start(const SourceContext& context) {
  // In the program's table each look would open and close its lowest free number: a number that the program
  // expects to be given, and another thread's open() could find taken for a moment.
  if (!context.threads.host().apart()) {
    context.spooler.report(
        wire::Severity::kWarning,
        "no wall-clock time is sampled: it needs a table of descriptors of the agent's own, which "
        "this kernel does not allow (Linux 5.9 or later, and unshare(2))");
    return {};
  }
  context_ = std::make_unique<SourceContext>(context);
  period_ns_ = context.period_ns;
  most_passes_ = static_cast<uint32_t>(std::max<uint64_t>(kMostBetweenLooksNs / period_ns_, 1));
  stacks_ = std::make_unique<BlockedStacks>(capture_setup().code, tick_gate(), capture_setup().depth,
                                            capture_setup().async);
  base::Status started = thread_.start(context, "walkabout-wall", "no memory for samples of wall-clock time",
                                       [this](ThreadSlot* writer) { run(writer); });
  if (started.ok()) context.threads.keep_released();
  return started;
}

void WallSource::stop() {
  stop_.request();
  thread_.join();
}

void WallSource::run(ThreadSlot* writer) {
  if (writer == nullptr) return;
  writer_ = writer;
  uint64_t next_ns = base::monotonic_ns() + period_ns_;
  for (;;) {
    const uint64_t now_ns = base::monotonic_ns();
    const bool stops = stop_.wait_for(std::chrono::nanoseconds(next_ns > now_ns ? next_ns - now_ns : 0));
    const uint64_t woken_ns = base::monotonic_ns();
    goes_on_at(next_ns, woken_ns);
    if (stops) return end_all();
    pass();
    next_ns = std::max(next_ns + period_ns_, base::monotonic_ns() + period_ns_ / 4);
  }
}

void WallSource::pass() {
  if (context_->spooler.broken()) return;  // nobody makes room, or reads it
  ++pass_;
  emit_rests();
  refresh();
  if (threads_.empty()) return;
  const uint64_t begun_ns = base::thread_cpu_ns();
  const uint64_t most_ns = std::max(period_ns_ / kMostLooksShare, kLeastLooksNs);
  first_ %= threads_.size();
  for (size_t i = 0; i < threads_.size(); ++i) {
    const size_t at = (first_ + i) % threads_.size();
    if (!is_due(at)) continue;
    goes_on_at(seen_ns_, base::monotonic_ns());
    if (!look(threads_[at]) || base::thread_cpu_ns() - begun_ns <= most_ns) continue;
    first_ = at + 1;
    break;
  }
  goes_on_at(seen_ns_, base::monotonic_ns());
}

// planned_ns: when it was to go on at the latest, had nothing held it up.
void WallSource::goes_on_at(uint64_t planned_ns, uint64_t now_ns) {
  if (now_ns > planned_ns + kInterruptedNs + 2 * period_ns_) after_interruption(now_ns - planned_ns);
  seen_ns_ = now_ns;
}

// Before anything of that time is divided. Who went meanwhile is reported by the table.
void WallSource::after_interruption(uint64_t ns) {
  for (Watched& watched : threads_) {
    if (!watched.thread.id.valid() || watched.account.at_ns() == 0) continue;
    const uint64_t now_ns = base::monotonic_ns();
    const uint64_t cpu_ns = base::clock_ns(base::thread_cpu_clock(watched.thread.tid));
    if (cpu_ns == 0) continue;
    watched.account.interrupted(now_ns, cpu_ns, ns);
    if (watched.account.was_blocked()) continue;
    watched.account.leave_place();
    watched.state = wire::ThreadState::kRunning;
  }
}

// Threads that came, went, or are known better.
void WallSource::refresh() {
  const uint64_t changes = context_->threads.changes();
  if (changes == seen_changes_ && pass_ != 1) return;
  seen_changes_ = changes;
  context_->threads.living(&living_, &released_);
  for (const ThreadTable::Living& thread : released_) end_released(thread);
  for (Watched& watched : threads_) watched.listed = false;
  for (const ThreadTable::Living& thread : living_) {
    if (threads_.size() <= thread.slot) {
      threads_.resize(thread.slot + 1);
      due_.resize(thread.slot + 1);
    }
    Watched& watched = threads_[thread.slot];
    const bool known = watched.thread.id == thread.id;
    if (!known && watched.thread.id.valid()) end(watched, watched.account.at_ns(), watched.account.cpu_ns());
    watched.listed = true;
    if (!known) begin(watched, thread);
    // Of one that has ended: its last sample was made when that was seen.
    if (watched.account.at_ns() == 0) continue;
    watched.thread = thread;
    if (thread.ending_ns != 0) end_as_listed(watched, thread);
  }
  // Too many were released for the table to list each: nothing is known of the time since the last look.
  for (Watched& watched : threads_) {
    if (watched.listed || !watched.thread.id.valid()) continue;
    end(watched, watched.account.at_ns(), watched.account.cpu_ns());
    watched.thread = {};
  }
}

// Its slot may be another thread's by now. No pass may have seen it at all.
void WallSource::end_released(const ThreadTable::Living& thread) {
  if (thread.slot < threads_.size() && threads_[thread.slot].thread.id == thread.id) {
    Watched& watched = threads_[thread.slot];
    end_as_listed(watched, thread);
    watched.thread = {};
    return;
  }
  Watched unseen;
  unseen.thread = thread;
  unseen.account.begin(thread.first_seen_ns, thread.counted_from_ns, period_ns_);
  end_as_listed(unseen, thread);
}

// The table sees an end later than a look does.
void WallSource::end_as_listed(Watched& watched, const ThreadTable::Living& thread) {
  if (thread.untaken != 0) book_taken(watched, thread.untaken);
  const uint64_t at_ns =
      watched.gone_ns != 0 ? std::min(watched.gone_ns, thread.ending_ns) : thread.ending_ns;
  end(watched, at_ns, thread.used_ns);
}

void WallSource::begin(Watched& watched, const ThreadTable::Living& thread) {
  const bool listed = watched.listed;
  watched = Watched();
  watched.listed = listed;
  watched.thread = thread;
  due_[thread.slot] = pass_;
  watched.account.begin(thread.first_seen_ns, thread.counted_from_ns, period_ns_);
}

// Whether a rider was taken is looked up for a part of the threads in each pass. The slot may be another
// thread's by now: then this one is looked at once too often.
bool WallSource::is_due(size_t slot) const {
  const bool time = due_[slot] <= pass_;
  if (!time && (pass_ + slot) % kPassesRiders != 0) return false;
  const Watched& watched = threads_[slot];
  if (!watched.thread.id.valid() || watched.account.at_ns() == 0) return false;
  return time || (watched.left_ns != 0 && !context_->threads.slots()[slot].rider.waits());
}

// True: it cost more than a look at a clock.
bool WallSource::look(Watched& watched) {
  const uint64_t now_ns = base::monotonic_ns();
  uint64_t cpu_ns = base::clock_ns(base::thread_cpu_clock(watched.thread.tid));
  if (cpu_ns == 0) {  // it has ended, and the thread table has not seen that yet; or it begins just now
    if (place_of(watched.thread.tid).standing == Standing::kGone) {
      if (watched.gone_ns == 0) watched.gone_ns = now_ns;
      return true;  // the table will report its CPU time
    }
    cpu_ns = watched.account.cpu_ns();
  }
  watched.gone_ns = 0;
  sample_nowhere(watched);
  if (watched.account.was_blocked() && cpu_ns == watched.account.cpu_ns()) {
    sample_place(watched, watched.account.stood_still(now_ns));
    plan(watched, true);
    return false;
  }
  // One that runs all the time is asked for its state now and then only.
  const bool runs_on = watched.seen_running >= kSurelyRunning && cpu_ns != watched.account.cpu_ns();
  if (runs_on && (pass_ + watched.thread.slot) % kPassesRunning != 0) {
    watched.account.ran_on(now_ns, cpu_ns);
    pay(watched);
    plan(watched, false);
    return false;
  }
  look_at_place(watched, now_ns, cpu_ns);
  pay(watched);
  plan(watched, false);
  return true;
}

void WallSource::look_at_place(Watched& watched, uint64_t now_ns, uint64_t cpu_ns) {
  const ThreadTable::Living& thread = watched.thread;
  const BlockedStack& seen =
      stacks_->look(thread.tid, thread.stack_lo, thread.stack_hi, thread.runtime_thread);
  if (seen.standing == Standing::kGone) {
    watched.gone_ns = now_ns;
    return;
  }
  const std::span<const wire::Frame> frames(seen.frames.data(), seen.walk.frames);
  const bool known = seen.standing == Standing::kBlocked;
  // Nobody knows where it stands, or that it waited for a processor: its time is blocked, without a stack.
  const bool unknown = seen.standing == Standing::kUnknown;
  unknown_looks_ = unknown ? unknown_looks_ + 1 : 0;
  if (unknown_looks_ == kUnknownLooks) report_unknown();
  const bool blocked = unknown || (known && !met_unreported_code(frames));
  // The CPU clock as it was before: if the thread ran while it was looked at, the next look sees that it did.
  const WallAccount::Look look{now_ns, cpu_ns, seen.counts.waited_ns, seen.counts.runs != 0, blocked};
  const WallAccount::Shares shares = watched.account.look(look);
  sample_place(watched, shares.before);
  watched.account.leave_place();
  watched.seen_running = blocked ? 0 : watched.seen_running + 1;
  if (blocked && known)
    keep_place(watched, seen);
  else
    watched.state = wire::ThreadState::kRunning;
  sample_place(watched, shares.here);
}

void WallSource::keep_place(Watched& watched, const BlockedStack& seen) {
  watched.state = wire::ThreadState::kBlocked;
  watched.call = seen.call;
  watched.frames.assign(seen.frames.begin(), seen.frames.begin() + seen.walk.frames);
  watched.awaiters = seen.awaiters;
  watched.end = seen.walk.end;
  watched.flags = 0;
  if (seen.walk.left_out) watched.flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  if (seen.walk.jit_compiler) watched.flags |= static_cast<uint8_t>(wire::SampleFlag::kInJit);
  if (context_->collecting.is(watched.thread.tid))
    watched.flags |= static_cast<uint8_t>(wire::SampleFlag::kInGc);
}

void WallSource::report_unknown() {
  if (std::exchange(reported_unknown_, true)) return;
  context_->spooler.report(
      wire::Severity::kWarning,
      "the kernel does not tell where threads stand (/proc is not there, or may not be read): "
      "their wall-clock time is without stacks and without system calls, and what they waited "
      "for a processor counts as blocked");
}

// Threads that are looked at equally often are spread over the passes.
void WallSource::plan(Watched& watched, bool stood_still) {
  watched.every = stood_still ? std::min(watched.every * 2, most_passes_) : 1;
  due_[watched.thread.slot] = pass_ + watched.every - (pass_ + watched.thread.slot) % watched.every;
}

// Leaves at the thread what its next tick is to take along: of the state whose time is the longer.
void WallSource::pay(Watched& watched) {
  take_back(watched);
  WallAccount& account = watched.account;
  const WallAccount::Rider rider = account.rider(std::min(kCreditNs, period_ns_ / 5));
  if (rider.ns == 0) return;
  if (watched.ticks && rider.ns < kUntakenNs) {
    const auto state = rider.running ? wire::ThreadState::kRunning : wire::ThreadState::kRunnable;
    watched.ticks =
        context_->threads.leave_rider(watched.thread, kWall, rider.ns, {state_label(state), 0}, 2);
    if (watched.ticks) {
      watched.left_ns = rider.ns;
      watched.left_as = state;
      return;
    }
  }
  pay_without_stack(watched, kWithoutStackNs);
}

void WallSource::take_back(Watched& watched) {
  if (watched.left_ns != 0) book_taken(watched, context_->threads.take_back_rider(watched.thread));
}

void WallSource::book_taken(Watched& watched, uint64_t untaken) {
  const uint64_t taken = watched.left_ns - std::min(untaken, watched.left_ns);
  if (watched.left_as == wire::ThreadState::kRunning)
    watched.account.pay_running(taken);
  else
    watched.account.pay_runnable(taken);
  watched.left_ns = 0;
}

void WallSource::pay_without_stack(Watched& watched, uint64_t least_ns) {
  WallAccount& account = watched.account;
  const auto pay = [&](wire::ThreadState state, int64_t owed) {
    const auto ns = static_cast<uint64_t>(std::max<int64_t>(owed, 0));
    return ns >= least_ns && ns != 0 && sample(watched, state, -1, ns, without_stack()) ? ns : 0;
  };
  account.pay_running(pay(wire::ThreadState::kRunning, account.running_ns()));
  account.pay_runnable(pay(wire::ThreadState::kRunnable, account.runnable_ns()));
}

// Its samples may have to wait: many threads end together, and the ring has room for some hundred samples.
void WallSource::end(Watched& watched, uint64_t now_ns, uint64_t cpu_ns) {
  if (watched.account.at_ns() == 0) return;  // it did already
  WallAccount& account = watched.account;
  account.return_blocked(account.end(now_ns, cpu_ns));
  take_back(watched);
  account.settle();
  if (!emit_rest(watched)) ended_.push_back(watched);
  account.begin(0, 0, period_ns_);
}

// False: some of it is still to come.
bool WallSource::emit_rest(Watched& watched) {
  WallAccount& account = watched.account;
  sample_place(watched, account.take_blocked());
  sample_nowhere(watched);
  pay_without_stack(watched, 1);
  return account.has_nothing();
}

void WallSource::emit_rests() {
  std::erase_if(ended_, [this](Watched& watched) { return emit_rest(watched); });
}

// Each thread's time up to now: it stands where it stood, if it has not run.
void WallSource::end_all() {
  if (context_->spooler.broken()) return;
  ++pass_;
  refresh();
  for (Watched& watched : threads_) {
    if (!watched.thread.id.valid() || watched.account.at_ns() == 0) continue;
    const uint64_t now_ns = watched.gone_ns != 0 ? watched.gone_ns : base::monotonic_ns();
    const uint64_t cpu_ns = base::clock_ns(base::thread_cpu_clock(watched.thread.tid));
    end(watched, now_ns, std::max(cpu_ns, watched.account.cpu_ns()));
  }
  // As long as the spooler makes room.
  size_t left = ended_.size();
  for (uint64_t by_ns = base::monotonic_ns() + kLastSamplesNs; left != 0 && base::monotonic_ns() < by_ns;) {
    ::usleep(kRoomLookUs);
    emit_rests();
    if (ended_.size() < left) by_ns = base::monotonic_ns() + kLastSamplesNs;
    left = ended_.size();
  }
  for (size_t i = 0; i < ended_.size(); ++i) count_drop(*writer_, kWall, wire::DropCause::kRingFull);
}

// Where the last look found it.
void WallSource::sample_place(Watched& watched, uint64_t ns) {
  ns += watched.account.take_waiting();
  if (ns == 0) return;
  const bool blocked = watched.state == wire::ThreadState::kBlocked;
  Subject subject = without_stack();
  if (blocked && !watched.frames.empty()) {
    subject.frames = watched.frames;
    subject.end = watched.end;
    subject.flags = watched.flags;
    subject.awaiters = &watched.awaiters;
  }
  if (!sample(watched, wire::ThreadState::kBlocked, blocked ? watched.call : -1, ns, subject))
    watched.account.wait_for_room(ns);
}

void WallSource::sample_nowhere(Watched& watched) {
  const uint64_t ns = watched.account.take_nowhere();
  if (ns != 0 && !sample(watched, wire::ThreadState::kBlocked, -1, ns, without_stack()))
    watched.account.return_nowhere(ns);
}

// False: the time is still to have its sample.
bool WallSource::sample(Watched& watched, wire::ThreadState state, int64_t call, uint64_t ns,
                        Subject subject) {
  if (!has_room(subject.frames.size())) return false;
  subject.thread = watched.thread.id;
  subject.samples = watched.samples;
  subject.time_ns = std::max(base::monotonic_ns(), watched.sampled_ns);
  const uint64_t labels[] = {state_label(state), call_label(call)};
  if (capture_about(*writer_, subject, {kWall, {&ns, 1}, labels})) return false;
  ++watched.samples;
  watched.sampled_ns = subject.time_ns;
  return true;
}

bool WallSource::has_room(size_t frames) const {
  const wire::LaneHeader& lane = writer_->shared->lane(wire::Lane::kCallback);
  const uint64_t used = lane.used();
  const size_t awaiters = capture_setup().async != nullptr ? wire::kMostAwaiters : 0;
  const uint64_t size = sizeof(wire::RawSample) + (frames + kLabelWords + awaiters) * sizeof(wire::Frame);
  return used + 2 * size <= writer_->shared->ring_size;  // some of it may be left out at the ring's end
}

}  // namespace walkabout::agent
