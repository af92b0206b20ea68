#include "agent/windows/session/sampler.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "agent/core/spooler.h"
#include "agent/windows/fine_timer.h"
#include "agent/windows/process_self.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kListingEveryNs = 100'000'000;
constexpr uint64_t kListingShare = 10;  // where listing is slow: one part of so many of the time

void drop(wire::SlotHeader* shared, wire::DropCause cause) {
  shared->cpu().attempts.fetch_add(1, std::memory_order_relaxed);
  shared->cpu().drops[static_cast<size_t>(cause)].fetch_add(1, std::memory_order_relaxed);
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
  walk_.prepare();
  const FineTimer fine;
  uint64_t next = base::monotonic_ns();
  for (;;) {
    look();
    const uint64_t begin = base::monotonic_ns();
    tick();
    const uint64_t now = base::monotonic_ns();
    next = std::max(next + parts_.interval_ns, now + std::min(now - begin, parts_.interval_ns));
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
    ran.push_back(cpu_ns_[i] > targets_[i].shared->last_cpu_ns.load(std::memory_order_relaxed));
    if (ran[i]) sample(targets_[i], cpu_ns_[i]);
  }
  for (size_t i = 0; i < targets_.size() && base::monotonic_ns() < until; ++i) {
    next_ = (next_ + 1) % targets_.size();
    if (!ran[next_]) sample(targets_[next_], cpu_ns_[next_]);
  }
}

void Sampler::sample(const Target& target, uint64_t cpu) {
  wire::SlotHeader* shared = target.shared;
  const uint64_t last = shared->last_cpu_ns.load(std::memory_order_relaxed);
  wire::Producer ring(shared);
  const uint32_t room =
      static_cast<uint32_t>(sizeof(wire::RawSample) + parts_.depth * 2 * sizeof(wire::Frame));
  uint8_t* at = ring.begin(room);
  if (at == nullptr) return drop(shared, wire::DropCause::kRingFull);
  auto* sample = new (at) wire::RawSample;
  sample->time_ns = base::monotonic_ns();
  sample->value = cpu > last ? cpu - last : 0;
  if (parts_.collecting.is(target.tid)) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInGc);
  const clr::ThreadID clr = parts_.threads.begin_walk(target.slot);
  const ThreadWalk::Result result = walk_.walk(*target.thread, target.stack, clr, sample);
  parts_.threads.end_walk();
  if (result == ThreadWalk::Result::kGone) {
    if (!target.thread->gone()) drop(shared, wire::DropCause::kStopping);
    return;  // its last CPU time is reported with its end
  }
  if (result == ThreadWalk::Result::kBlocked) return drop(shared, wire::DropCause::kBlocked);
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->size =
      static_cast<uint32_t>(sizeof *sample + (sample->frames + sample->clr_frames) * sizeof(wire::Frame));
  sample->index = static_cast<uint32_t>(shared->cpu().samples.load(std::memory_order_relaxed));
  shared->last_cpu_ns.store(std::max(cpu, last), std::memory_order_relaxed);
  shared->cpu().attempts.fetch_add(1, std::memory_order_relaxed);
  shared->ticks().frames.fetch_add(sample->frames, std::memory_order_relaxed);
  shared->cpu().samples.fetch_add(1, std::memory_order_relaxed);
  ring.commit(sample->size);
}

}  // namespace walkabout::agent
