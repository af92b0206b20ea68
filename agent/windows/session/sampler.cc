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
  const uint64_t until = base::monotonic_ns() + parts_.interval_ns / 2;
  parts_.threads.targets(&targets_);
  if (targets_.empty()) return;
  cpu_ns_.clear();
  for (const Target& target : targets_) cpu_ns_.push_back(target.thread->cpu_ns(parts_.threads.cycle_rate()));
  std::vector<bool> ran;
  for (size_t i = 0; i < targets_.size(); ++i) {
    ran.push_back(has_run(targets_[i], cpu_ns_[i]));
    if (ran[i]) sample(targets_[i], cpu_ns_[i], true);
  }
  for (size_t i = 0; i < targets_.size() && base::monotonic_ns() < until; ++i) {
    next_ = (next_ + 1) % targets_.size();
    if (!ran[next_]) sample(targets_[next_], cpu_ns_[next_], false);
  }
}

// Since its last sample of CPU time, or since the tick before.
bool Sampler::has_run(const Target& target, uint64_t cpu_ns) {
  WallLook& look = looks_[target.slot];
  look.of(target.id, target.first_seen_ns, cpu_ns);
  const bool ran = look.ran(cpu_ns);
  return parts_.cpu ? cpu_ns > target.shared->last_cpu_ns.load(std::memory_order_relaxed) : ran;
}

bool Sampler::is_wall_due(const Target& target) {
  return parts_.wall_ns != 0 && looks_[target.slot].is_due(base::monotonic_ns(), parts_.wall_ns);
}

void Sampler::sample(const Target& target, uint64_t cpu_ns, bool ran) {
  const bool wall = is_wall_due(target);
  if (!parts_.cpu && !wall) return;
  wire::SlotHeader* shared = target.shared;
  wire::Producer ring(shared);
  uint8_t* at = parts_.cpu ? ring.begin(room()) : reinterpret_cast<uint8_t*>(scratch_.data());
  if (at == nullptr) return drop_attempt(shared->cpu(), wire::DropCause::kRingFull);
  auto* walked = new (at) wire::RawSample;
  const ThreadWalk::Result result = walk(target, walked);
  if (result == ThreadWalk::Result::kSampled) {
    if (parts_.cpu) add_cpu(target, cpu_ns, ring, walked);
    if (wall) add_wall(target, ran, ring, *walked);
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
void Sampler::add_wall(const Target& target, bool ran, wire::Producer& ring, const wire::RawSample& walked) {
  wire::SourceAccount& account = target.shared->ticks().of(kWall);
  const uint64_t labels[] = {
      static_cast<uint64_t>(ran ? wire::ThreadState::kRunning : wire::ThreadState::kBlocked), 0};
  uint64_t value = 0;
  const Event event{kWall, {&value, 1}, labels};
  uint8_t* room = ring.begin(largest_record(event, walked.frames));
  if (room == nullptr) return drop_attempt(account, wire::DropCause::kRingFull);
  value = looks_[target.slot].take(walked.time_ns);
  wire::RawSample* sample = put_event_at(walked, event, room);
  sample->index = next_index(account);
  wire::add_alone(account.attempts, 1);
  publish(ring, account, *sample);
}

}  // namespace walkabout::agent
