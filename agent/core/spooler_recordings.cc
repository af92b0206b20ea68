// What the spooler says of a whole recording, and how one ends and the next begins.
#include <algorithm>

#include "agent/core/spooler.h"
#include "base/clock.h"
#include "wire/encode.h"
#include "wire/ring_size.h"

namespace walkabout::agent {
namespace {

// One takes the runtime 1 to 20 us; the second is what a program may wait for at its end.
constexpr size_t kIlMapsInPass = 1000;
constexpr size_t kIlMapsAtEnd = 10'000;

uint64_t median(std::vector<uint32_t> v) {
  if (v.empty()) return 0;
  std::nth_element(v.begin(), v.begin() + static_cast<ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

}  // namespace

uint64_t Spooler::Known::emit_until(uint64_t cpu_ns) {
  const uint64_t unemitted = cpu_ns > emitted_cpu_ns ? cpu_ns - emitted_cpu_ns : 0;
  emitted_cpu_ns += unemitted;
  return unemitted;
}

void Spooler::emit_messages(const std::vector<PendingMessage>& messages) {
  for (const PendingMessage& m : messages)
    wire::encode(wire::Message{us(m.time_ns), m.severity, m.text}, buffer_);
}

// They are among the program's threads, and their time is in no stack. One that lives on is another in the
// next recording.
void Spooler::emit_refused_threads(uint64_t now_ns, bool living) {
  for (const RefusedThread& thread : threads_.take_refused(living)) {
    wire::Thread record;
    record.id = threads_.new_id();
    record.tid = static_cast<uint32_t>(thread.tid);
    record.start_us = us(std::max(thread.first_seen_ns, session_.monotonic_start_ns));
    wire::encode(record, buffer_);
    wire::encode(wire::ThreadEnd{record.id, us(now_ns), thread.cpu_ns, true}, buffer_);
  }
}

// What profiling costs is part of the process's CPU time: it is shown, as threads without stacks.
void Spooler::emit_own_threads(uint64_t now_ns) {
  const auto emit = [&](const char* name, pid_t tid, uint64_t cpu_ns) {
    wire::Thread record;
    record.id = threads_.new_id();
    record.tid = static_cast<uint32_t>(tid);
    record.os_name = name;
    record.kind = wire::ThreadKind::kAgent;
    wire::encode(record, buffer_);
    wire::encode(wire::ThreadEnd{record.id, us(now_ns), cpu_ns}, buffer_);
  };
  emit("walkabout-spool", tid_.load(), base::thread_cpu_ns() - emitted_before_.spooler_cpu_ns);
  for (Helper& helper : helpers_)
    emit(helper.name, helper.tid->load(), cpu_ns(helper) - helper.before_cpu_ns);
}

void Spooler::add_helper(const char* name, const std::atomic<pid_t>& tid) {
  Helper helper{name, &tid};
  helper.before_cpu_ns = cpu_ns(helper);
  helpers_.push_back(helper);
}

// Some begin after the first pass and end before the last.
uint64_t Spooler::cpu_ns(Helper& helper) {
  const pid_t tid = helper.tid->load();
  return helper.seen_cpu_ns = std::max(helper.seen_cpu_ns, thread_cpu_ns(tid));
}

// In this recording.
uint64_t Spooler::helpers_cpu_ns() {
  uint64_t sum = 0;
  for (Helper& helper : helpers_) sum += cpu_ns(helper) - helper.before_cpu_ns;
  return sum;
}

namespace {

struct ProcessTime {
  uint64_t monotonic_ns;
  uint64_t cpu_ns;
};

// Of one moment: who recovers a killed program's samples has to know which of them the CPU time already
// holds. Of a few readings the shortest counts: in one of them this thread may lose its processor.
ProcessTime process_time() {
  constexpr int kTries = 4;
  constexpr uint64_t kMoment = 20'000;
  ProcessTime best{};
  uint64_t shortest_ns = UINT64_MAX;
  for (int i = 0; i < kTries && shortest_ns > kMoment; ++i) {
    const uint64_t before_ns = base::monotonic_ns();
    const uint64_t cpu_ns = base::process_cpu_ns();
    const uint64_t now_ns = base::monotonic_ns();
    if (now_ns - before_ns >= shortest_ns) continue;
    shortest_ns = now_ns - before_ns;
    best = {now_ns, cpu_ns};
  }
  return best;
}

}  // namespace

// The time until the clocks were stopped, and what this thread has used since.
uint64_t Spooler::final_process_cpu_ns() const {
  const base::Lock lock(mutex_);
  if (stopped_.process_cpu_ns == 0) return base::process_cpu_ns();
  return stopped_.process_cpu_ns + base::thread_cpu_ns() - stopped_.spooler_cpu_ns;
}

void Spooler::emit_counters(uint64_t now_ns, bool ends, bool final) {
  counters_emitted_ns_ = now_ns;
  const ThreadTable::Totals totals = threads_.totals();
  const EmittedBefore& before = emitted_before_;
  const ProcessTime time =
      ends ? ProcessTime{now_ns, final ? final_process_cpu_ns() : base::process_cpu_ns()} : process_time();
  wire::Counters record;
  record.time_us = us(time.monotonic_ns);
  // What is in a handler or a ring now is left to the next record while the program runs: should there be
  // none, the recording adds up all the same.
  const auto account = [&](base::SourceId source, auto* to) {
    const SourceTotals& now = totals.of(source);
    const SourceTotals& then = before.sources[source.value - 1];
    const uint64_t summed = summed_[source.value - 1];
    const uint64_t lost = tally_ == nullptr ? 0 : tally_->lost(source);
    to->samples = (final ? now.samples : now.taken) + summed - then.samples;
    to->drops.clear();
    for (size_t i = 0; i < std::size(now.drops); ++i) to->drops.push_back(now.drops[i] - then.drops[i]);
    to->drops[static_cast<size_t>(wire::DropCause::kRingFull)] += lost;
    to->attempts = (final ? now.attempts : now.taken + now.all_drops()) + summed + lost - then.attempts;
  };
  account(wire::kCpuSource, &record);
  for (const wire::Source& source : sources_) {
    if (source.id == wire::kCpuSource) continue;
    account(source.id, &record.sources.emplace_back());
    record.sources.back().source = source.id;
  }
  record.handler_ns = totals.handler_ns - before.handler_ns;
  record.agent_threads_ns = base::thread_cpu_ns() - before.spooler_cpu_ns + helpers_cpu_ns();
  // A recording of --every may have ended behind the last look at the process's clock.
  record.process_cpu_ns = std::max(time.cpu_ns, before.process_cpu_ns) - before.process_cpu_ns;
  record.walk_cycles_p50 = median(cycles_);
  record.walk_frames = totals.frames - before.frames;
  record.timer_overruns = totals.overruns - before.overruns;
  record.unknown_pc = unknown_pc_;
  record.callbacks_ns = callbacks_ns() + totals.callbacks_ns - before.callbacks_ns;
  wire::encode(record, buffer_);
  counted_ = record;
}

// Some in each pass, so that a program that has just begun gets its rings emptied. A recording's end brings
// those that are left.
void Spooler::emit_il_maps(bool ends) {
  const bool all = code_->emit_il_maps(ends ? kIlMapsAtEnd : kIlMapsInPass, &buffer_);
  if (!ends) return;
  if (!all)
    report(wire::Severity::kWarning,
           "there were too many methods at the end to learn the source lines of all of them");
  if (const uint64_t refused = code_->refused_il_maps(); refused != 0)
    report(wire::Severity::kInfo, "the runtime does not say which source lines " + std::to_string(refused) +
                                      (refused == 1 ? " method has" : " methods have"));
  if (options_.lines.on) report_inlining();
}

[[gnu::cold]] void Spooler::report_inlining() {
  if (registry_.told_of_inlining() == 0)
    return report(
        wire::Severity::kInfo,
        "inlined methods are not known: the runtime tells of them where DOTNET_RichDebugInfo=1 is in "
        "its environment at its start");
  const uint64_t lost = registry_.inlining_lost() + code_->refused_inline_trees();
  if (lost == 0) return;
  std::string text =
      "what was inlined is not known of some compiled methods (dynamic ones, those that can be "
      "unloaded, or too many): ";
  text += std::to_string(lost);
  report(wire::Severity::kInfo, std::move(text));
}

bool Spooler::is_long_enough(uint64_t now_ns) const {
  return options_.every_ns != 0 && now_ns - session_.monotonic_start_ns >= options_.every_ns;
}

// Threads live on, but what they used up to now belongs to the recording that ends.
void Spooler::end_threads(uint64_t now_ns) {
  for (const ThreadView& view : views_) {
    if (view.ended || view.writer) continue;  // emitted with its samples
    const uint64_t cpu_ns = thread_cpu_ns(view.tid);
    wire::encode(wire::ThreadEnd{view.id, us(now_ns), known_[view.slot].emit_until(cpu_ns)}, buffer_);
  }
}

// REQUIRES: the Counters of the one that ends were emitted.
void Spooler::begin_next_recording(uint64_t now_ns) {
  emitted_texts_.clear();
  session_.attached = true;
  EmittedBefore& before = emitted_before_;
  const auto add = [&before](base::SourceId source, const auto& counted) {
    SourceTotals& to = before.sources[source.value - 1];
    to.attempts += counted.attempts;
    to.samples += counted.samples;
    for (size_t i = 0; i < counted.drops.size(); ++i) to.drops[i] += counted.drops[i];
  };
  add(wire::kCpuSource, counted_);
  for (const wire::SourceCounters& counted : counted_.sources) add(counted.source, counted);
  before.handler_ns += counted_.handler_ns;
  before.frames += counted_.walk_frames;
  before.overruns += counted_.timer_overruns;
  before.process_cpu_ns += counted_.process_cpu_ns;
  before.callbacks_ns += counted_.callbacks_ns;
  before.spooler_cpu_ns = base::thread_cpu_ns();
  for (Helper& helper : helpers_) helper.before_cpu_ns = cpu_ns(helper);

  code_ = std::make_unique<CodeWriter>(registry_, info_, options_.lines);
  begin_new_tree();
  nodes_.new_tree = false;  // it is the recording's first
  cycles_.clear();
  unknown_pc_.clear();
  for (Known& known : known_) {
    known.samples = {};
  }
  gone_.begin_recording();
  pending_thread_ = base::ThreadId();
  fresh_ = true;
  session_.monotonic_start_ns = now_ns;
  session_.wall_start_ns = base::wall_ns();
  emit_session();
  if (budget_ && budget_->lowered()) {
    wire::encode(wire::Rate{0, budget_->interval_ns(), session_.interval_ns, 0, budget_->budget_ppm()},
                 buffer_);
  }
  emit_messages(standing_);
}

// The sampler's work does not depend on the rate, so it is not counted.
void Spooler::keep_budget(uint64_t now_ns) {
  const ThreadTable::Totals totals = threads_.totals();
  std::optional<wire::Rate> change = budget_->judge(
      now_ns, totals.handler_ns + totals.callbacks_ns + base::thread_cpu_ns(), base::process_cpu_ns());
  if (!change) return;
  change->time_us = us(now_ns);
  threads_.set_interval(change->interval_ns);
  pass_ms_ = std::min(wire::pass_ms(change->interval_ns), longest_pass_ms_);
  wire::encode(*change, buffer_);
}

}  // namespace walkabout::agent
