#include "agent/sources/event_capture.h"

#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>

namespace walkabout::agent {
namespace {

// The counter runs on while the thread is switched out: a walk counts as this at most.
constexpr uint64_t kMostWalkMs = 1;
// What a thread has not spent on walks it may spend later, up to its share of this.
constexpr uint64_t kBurstMs = 500;

uint64_t cycles_now() { return __rdtsc(); }

}  // namespace

EventCapture::EventCapture(base::SourceId source, uint32_t share, size_t labels_of_sums)
    : source_(source), share_(share), labels_of_sums_(labels_of_sums), paid_until_(wire::kMaxSlots) {}

void EventCapture::begin(const SourceContext& context) {
  tally_ = &context.tally;
  threads_.store(&context.threads, std::memory_order_release);  // partner: slot()
}

// A thread's first event may come before the runtime announces the thread.
ThreadSlot* EventCapture::slot() const {
  ThreadTable* threads = threads_.load(std::memory_order_acquire);  // partner: begin()
  if (threads == nullptr || OwnThread::is_current()) return nullptr;
  if (ThreadSlot* known = threads->callback_slot(); known != nullptr) return known;
  threads->arm(static_cast<pid_t>(::syscall(SYS_gettid)), 0, true);
  return threads->callback_slot();
}

std::optional<size_t> EventCapture::place() const {
  const ThreadSlot* mine = slot();
  if (mine == nullptr) return {};
  return static_cast<size_t>(mine - thread_slots().data());
}

bool EventCapture::will_walk() const {
  const std::optional<size_t> mine = place();
  return mine && cycles_now() + kBurstMs * capture_setup().tsc_per_ms >= paid_until_[*mine];
}

void EventCapture::event(std::span<const uint64_t> values, std::span<const uint64_t> labels) {
  if (!is_on()) return;
  ThreadSlot* mine = slot();
  if (mine == nullptr || mine->shared == nullptr) return tally_->lose(source_);
  uint64_t& paid_until = paid_until_[static_cast<size_t>(mine - thread_slots().data())];
  const base::ThreadId thread(mine->shared->thread.load(std::memory_order_relaxed));
  const std::span<const uint64_t> kept = labels.first(std::min(labels.size(), labels_of_sums_));
  const uint64_t per_ms = capture_setup().tsc_per_ms, before = cycles_now();
  const bool has_time = before + kBurstMs * per_ms >= paid_until;
  if (has_time || !tally_->knows(thread, source_, kept)) {
    const Dropped dropped = capture_here(*mine, {source_, values, labels, true});
    const uint64_t cycles = std::min(cycles_now() - before, kMostWalkMs * per_ms);
    paid_until = std::max(paid_until, before) + cycles * share_;
    if (!dropped) values = {};  // then the labels are not new any more
    if (!dropped && has_time) return;
  }
  tally_->add(thread, source_, values, kept);
}

}  // namespace walkabout::agent
