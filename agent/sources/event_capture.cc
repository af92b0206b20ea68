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

// How many captures were begun; and how many there were when the calling thread was refused a slot.
std::atomic<uint32_t> g_begun{0};
constinit thread_local uint32_t t_refused = 0;

}  // namespace

EventCapture::EventCapture(base::SourceId source, uint32_t share, size_t labels_of_sums, uint32_t largest)
    : source_(source),
      share_(share),
      labels_of_sums_(labels_of_sums),
      largest_(largest),
      paid_until_(wire::kMaxSlots) {}

void EventCapture::begin(const SourceContext& context) {
  tally_ = &context.tally;
  number_ = g_begun.fetch_add(1) + 1;
  threads_.store(&context.threads, std::memory_order_release);  // partner: slot()
}

// A thread's first event may come before the runtime announces the thread, or while a recording begins. Of
// one that cannot be armed the table is not asked again in this recording.
ThreadSlot* EventCapture::slot() const {
  ThreadTable* threads = threads_.load(std::memory_order_acquire);  // partner: begin()
  if (threads == nullptr || OwnThread::is_current() || t_refused >= number_) return nullptr;
  if (ThreadSlot* known = threads->callback_slot(); known != nullptr) return known;
  threads->arm(static_cast<pid_t>(::syscall(SYS_gettid)), 0, false);
  ThreadSlot* armed = threads->callback_slot();
  if (armed == nullptr) t_refused = g_begun.load(std::memory_order_relaxed);
  return armed;
}

std::optional<Place> EventCapture::place() const {
  const ThreadSlot* mine = slot();
  if (mine == nullptr || mine->shared == nullptr) return {};
  return Place{slot_number(*mine),
               base::ThreadId(mine->shared->thread.load(std::memory_order_relaxed))};
}

void EventCapture::thread_begins() {
  ThreadTable* threads = threads_.load(std::memory_order_acquire);  // partner: begin()
  if (threads == nullptr || OwnThread::is_current() || threads->callback_slot() != nullptr) return;
  threads->arm(static_cast<pid_t>(::syscall(SYS_gettid)), 0, true);
}

bool EventCapture::has_room(const wire::SlotHeader& shared) const {
  if (share_ < kOfMany) return true;
  const wire::LaneHeader& lane = shared.lane(wire::Lane::kCallback);
  const uint64_t used = lane.head.load(std::memory_order_relaxed) - lane.tail.load(std::memory_order_relaxed);
  return used * 2 < shared.ring_size;
}

bool EventCapture::will_walk() const {
  const std::optional<Place> mine = place();
  return mine && has_room(*thread_slots()[mine->slot].shared) &&
         cycles_now() + kBurstMs * capture_setup().tsc_per_ms >= paid_until_[mine->slot];
}

void EventCapture::event(std::span<const uint64_t> values, std::span<const uint64_t> labels) {
  if (!is_on()) return;
  ThreadSlot* mine = slot();
  if (mine == nullptr || mine->shared == nullptr) return tally_->lose(source_);
  uint64_t& paid_until = paid_until_[slot_number(*mine)];
  const base::ThreadId thread(mine->shared->thread.load(std::memory_order_relaxed));
  const std::span<const uint64_t> kept = labels.first(std::min(labels.size(), labels_of_sums_));
  const uint64_t per_ms = capture_setup().tsc_per_ms, before = cycles_now();
  const bool has_time = before + kBurstMs * per_ms >= paid_until;
  // Not looked for where there is time: it will be walked once more then.
  const bool first = !has_time && tally_->is_first(thread, source_, kept);
  if (has_room(*mine->shared) && (has_time || first)) {
    const Dropped dropped = capture_here(*mine, {source_, values, labels, true});
    const uint64_t cycles = std::min(cycles_now() - before, kMostWalkMs * per_ms);
    paid_until = std::max(paid_until, before) + cycles * share_;
    if (first && !dropped) tally_->walked(thread, source_, kept);
    if (!dropped) return;
  }
  tally_->add(thread, source_, values, kept, largest_);
}

bool EventCapture::each(std::span<const uint64_t> values, std::span<const uint64_t> labels) {
  if (!is_on()) return false;
  ThreadSlot* mine = slot();
  if (mine != nullptr && mine->shared != nullptr && !capture_here(*mine, {source_, values, labels, true}))
    return true;
  tally_->lose(source_);
  return false;
}

}  // namespace walkabout::agent
