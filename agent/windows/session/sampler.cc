#include "agent/windows/session/sampler.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>

#include "agent/core/spooler.h"
#include "agent/shared/event_record.h"
#include "agent/windows/fine_timer.h"
#include "agent/windows/process_self.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kListingEveryNs = 100'000'000;
constexpr uint64_t kListingShare = 10;  // where listing is slow: one part of so many of the time

constexpr base::SourceId kWall = wire::source_id("wall");

// Without a stack.
struct Nowhere {
  wire::RawSample sample;
  wire::Frame frame = wire::Frame::gap();
};

void drop_attempt(wire::SourceAccount& account, wire::DropCause cause) {
  wire::add_alone(account.attempts, 1);
  drop(account, cause);
}

}  // namespace

base::Status Sampler::start() {
  return thread_.start(
      "walkabout-samp", &tid_, [this] { run(); }, Priority::kAhead);
}

void Sampler::stop() {
  stop_.request();
  thread_.join();
}

// Where walks take longer than the interval it rests a while after each tick all the same: most of the time
// of a walk is the system's, which needs the CPUs for it.
void Sampler::run() {
  parts_.threads.exclude(tid_.load());  // before it looks for threads
  const bool samples = parts_.cpu || parts_.wall_ns != 0;
  const uint64_t interval_ns = samples ? parts_.interval_ns : kListingEveryNs;
  std::optional<FineTimer> fine;
  if (samples) fine.emplace();
  walk_.prepare();
  uint64_t next = base::monotonic_ns();
  for (;;) {
    look();
    const uint64_t begin = base::monotonic_ns();
    tick();
    const uint64_t now = base::monotonic_ns();
    next = std::max(next + interval_ns, now + std::min(now - begin, interval_ns));
    if (stop_.wait_for(std::chrono::nanoseconds(next - now))) return;
  }
}

void Sampler::look() {
  const uint64_t now = base::monotonic_ns();
  if (now < next_listing_ns_) return;
  if (parts_.spooler.broken()) parts_.threads.stop();
  parts_.threads.update(thread_ids());
  parts_.images.maintain();
  if (std::string problem = parts_.threads.take_problem(); !problem.empty())
    parts_.spooler.report(wire::Severity::kWarning, "some threads are not sampled: " + problem);
  const uint64_t end = base::monotonic_ns();
  next_listing_ns_ = end + std::max(kListingEveryNs, (end - now) * kListingShare);
}

void Sampler::tick() {
  const uint64_t until_ns = base::monotonic_ns() + parts_.interval_ns / 2;
  parts_.threads.targets(&targets_);
  if (targets_.empty()) return;
  states_.clear();
  for (const Target& target : targets_) states_.push_back(begin(target));
  for (size_t i = 0; i < targets_.size(); ++i) {
    if (is_first(targets_[i], states_[i])) sample(targets_[i], states_[i]);
  }
  if (parts_.wall_ns != 0) walk_waiting(until_ns, true, &next_due_);
  if (parts_.cpu) walk_waiting(until_ns, false, &next_);
  for (size_t i = 0; i < targets_.size(); ++i) {
    WallLook& look = looks_[targets_[i].slot];
    if (!states_[i].walked && look.is_due(states_[i].at.time_ns, parts_.wall_ns)) look.passed_over();
  }
}

Sampler::State Sampler::begin(const Target& target) {
  WallLook& look = looks_[target.slot];
  const uint64_t cpu_ns = target.thread->cpu_ns(parts_.threads.cycle_rate());
  look.of(target.id, target.first_seen_ns, cpu_ns);
  return {{base::monotonic_ns(), cpu_ns}, look.ran(cpu_ns)};
}

// With CPU time also one whose walk was dropped since it ran.
bool Sampler::is_first(const Target& target, const State& state) {
  const bool used =
      parts_.cpu ? state.at.cpu_ns > target.shared->last_cpu_ns.load(std::memory_order_relaxed) : state.ran;
  return used && !looks_[target.slot].waits(state.at);
}

// Those that were not walked yet: all, or those whose wall-clock time is due.
void Sampler::walk_waiting(uint64_t until_ns, bool due, size_t* next) {
  for (size_t i = 0; i < targets_.size() && base::monotonic_ns() < until_ns; ++i) {
    *next = (*next + 1) % targets_.size();
    const Target& target = targets_[*next];
    if (!states_[*next].walked && (!due || is_wall_due(target))) sample(target, states_[*next]);
  }
}

bool Sampler::is_wall_due(const Target& target) {
  return parts_.wall_ns != 0 && looks_[target.slot].is_due(base::monotonic_ns(), parts_.wall_ns);
}

void Sampler::sample(const Target& target, State& state) {
  const bool wall = is_wall_due(target);
  if (!parts_.cpu && !wall) return;
  state.walked = true;
  wire::SlotHeader* shared = target.shared;
  wire::Producer ring(shared);
  uint8_t* at = parts_.cpu ? ring.begin(room()) : reinterpret_cast<uint8_t*>(scratch_.data());
  if (at == nullptr) return drop_attempt(shared->cpu(), wire::DropCause::kRingFull);
  auto* walked = new (at) wire::RawSample;
  const ThreadWalk::Result result = walk(target, walked);
  if (result == ThreadWalk::Result::kSampled) {
    const unwind::Registers& found = walk_.registers();
    const bool stood = looks_[target.slot].stood({found.pc(), found.sp()}, state.at);
    if (parts_.cpu) add_cpu(target, state.at.cpu_ns, ring, walked);
    if (wall) add_wall(target, state, state.ran && !stood, *walked);
    return;
  }
  // The last CPU time of one that has ended is reported with its end.
  if (result == ThreadWalk::Result::kGone && target.thread->gone()) return;
  const wire::DropCause cause =
      result == ThreadWalk::Result::kGone ? wire::DropCause::kStopping : wire::DropCause::kBlocked;
  if (parts_.cpu) drop_attempt(shared->cpu(), cause);
  if (wall) drop_attempt(shared->ticks().of(kWall), cause);
}

ThreadWalk::Result Sampler::walk(const Target& target, wire::RawSample* sample) {
  sample->time_ns = base::monotonic_ns();
  if (parts_.collecting.is(target.tid)) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInGc);
  const clr::ThreadID clr = parts_.threads.begin_walk(target.slot);
  const ThreadWalk::Result result = walk_.walk(*target.thread, target.stack, clr, sample);
  parts_.threads.end_walk();
  return result;
}

void Sampler::add_cpu(const Target& target, uint64_t cpu_ns, wire::Producer& ring, wire::RawSample* sample) {
  wire::SlotHeader* shared = target.shared;
  const uint64_t last = shared->last_cpu_ns.load(std::memory_order_relaxed);
  sample->value = cpu_ns > last ? cpu_ns - last : 0;
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->index = next_index(shared->cpu());
  shared->last_cpu_ns.store(std::max(cpu_ns, last), std::memory_order_relaxed);
  wire::add_alone(shared->cpu().attempts, 1);
  wire::add_alone(shared->ticks().frames, sample->frames);
  publish(ring, shared->cpu(), *sample);
}

// What has no room goes with the next one.
void Sampler::add_wall(const Target& target, const State& state, bool running,
                       const wire::RawSample& walked) {
  WallLook& look = looks_[target.slot];
  const WallLook before = look;
  const WallLook::Taken taken = look.take({walked.time_ns, state.at.cpu_ns}, running);
  const auto as = running ? wire::ThreadState::kRunning : wire::ThreadState::kBlocked;
  if (!put_wall(target, as, taken.here_ns, walked)) {
    look = before;
    return;
  }
  if (taken.nowhere_ns == 0) return;
  Nowhere nowhere;
  nowhere.sample.time_ns = walked.time_ns;
  nowhere.sample.end = wire::WalkEnd::kGap;
  nowhere.sample.frames = 1;
  if (!put_wall(target, wire::ThreadState::kBlocked, taken.nowhere_ns, nowhere.sample))
    look.put_back(taken.nowhere_ns);
}

// False where the ring has no room.
bool Sampler::put_wall(const Target& target, wire::ThreadState state, uint64_t ns,
                       const wire::RawSample& walked) {
  wire::SourceAccount& account = target.shared->ticks().of(kWall);
  wire::Producer ring(target.shared);
  const uint64_t labels[] = {static_cast<uint64_t>(state), 0};
  const Event event{kWall, {&ns, 1}, labels};
  uint8_t* room = ring.begin(largest_record(event, walked.frames));
  if (room == nullptr) {
    drop_attempt(account, wire::DropCause::kRingFull);
    return false;
  }
  wire::RawSample* sample = put_event_at(walked, event, room);
  sample->index = next_index(account);
  wire::add_alone(account.attempts, 1);
  publish(ring, account, *sample);
  return true;
}

}  // namespace walkabout::agent
