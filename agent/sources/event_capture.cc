#include "agent/sources/event_capture.h"

#include <x86intrin.h>

#include <algorithm>

namespace walkabout::agent {
namespace {

// A walk counts as this at most: one that brings pages back must not keep its thread from being walked.
constexpr uint64_t kMostWalkNs = 1'000'000;
// What a thread has not spent on walks it may spend later, up to its share of half a second, or a dozen
// milliseconds of walks where that is more: so many rare events have their stacks even where each walk counts
// as the most.
constexpr uint64_t kBurstMs = 500, kMostBurstMs = 3000, kBurstOfWalksMs = 12;

uint64_t cycles_now() { return __rdtsc(); }

// Evenly distributed, by a moment.
uint32_t random_of(uint64_t cycles) { return static_cast<uint32_t>(cycles * 0x9e3779b97f4a7c15 >> 32); }

// How many captures were begun.
std::atomic<uint32_t> g_begun{0};

}  // namespace

EventCapture::EventCapture(base::SourceId source, Share share, size_t labels_of_sums, uint32_t largest)
    : source_(source),
      share_(share),
      labels_of_sums_(labels_of_sums),
      largest_(largest),
      burst_ms_(std::clamp(kBurstOfWalksMs * share.one_in, kBurstMs, kMostBurstMs)),
      shares_(wire::kMaxSlots) {}

void EventCapture::begin(const SourceContext& context) {
  tally_ = &context.tally;
  number_ = g_begun.fetch_add(1) + 1;
  threads_.store(&context.threads, std::memory_order_release);  // partner: threads()
}

// A thread's first event may come before the runtime announces the thread, or while a recording begins. Of
// one that cannot be armed the table is not asked again in this recording.
ThreadSlot* EventCapture::slot() const {
  ThreadTable* all = threads();
  if (all == nullptr || refused_captures() >= number_) return nullptr;
  if (ThreadSlot* known = all->callback_slot(); known != nullptr) return known;
  all->arm(current_tid(), 0, false);
  ThreadSlot* armed = all->callback_slot();
  if (armed == nullptr) set_refused_captures(g_begun.load(std::memory_order_relaxed));
  return armed;
}

std::optional<Place> EventCapture::place() const {
  const ThreadSlot* mine = slot();
  if (mine == nullptr || mine->shared == nullptr) return {};
  return Place{slot_number(*mine), base::ThreadId(mine->shared->thread.load(std::memory_order_relaxed))};
}

void EventCapture::thread_begins() {
  ThreadTable* all = threads();
  if (all == nullptr || all->callback_slot() != nullptr) return;
  all->arm(current_tid(), 0, true);
}

bool EventCapture::has_room(const wire::SlotHeader& shared, bool first) const {
  const wire::LaneHeader& lane = shared.lane(wire::Lane::kCallback);
  const uint64_t used = lane.used();
  // wire/ring_size.h: eight stacks of full depth fill a ring
  return share_.of_many && !first ? used * 2 < shared.ring_size : used * 8 <= uint64_t{shared.ring_size} * 7;
}

EventCapture::Attempt EventCapture::begin_event(std::span<const uint64_t> labels) {
  Attempt attempt;
  ThreadSlot* mine = slot();
  if (mine == nullptr || mine->shared == nullptr) return attempt;
  attempt.slot = mine;
  attempt.thread = base::ThreadId(mine->shared->thread.load(std::memory_order_relaxed));
  attempt.began = cycles_now();
  const bool has_time = shares_[slot_number(*mine)].takes(
      attempt.began, burst_ms_ * capture_setup().tsc_per_ms, random_of(attempt.began));
  if (!has_time) {  // else not looked for: it will be walked once more then
    attempt.sum = tally_->row(attempt.thread, source_, kept(labels), largest_);
    attempt.first = attempt.sum != nullptr && Tally::is_first(*attempt.sum);
  }
  attempt.walks = (has_time || attempt.first) && has_room(*mine->shared, attempt.first);
  return attempt;
}

void EventCapture::end_event(const Attempt& attempt, std::span<const uint64_t> values,
                             std::span<const uint64_t> labels) {
  if (attempt.slot == nullptr) {
    if (is_on()) tally_->lose(source_);
    return;
  }
  if (attempt.walks) {
    const std::atomic<uint64_t>& cost_ns = attempt.slot->shared->lane(wire::Lane::kCallback).cost_ns;
    const uint64_t before_ns = cost_ns.load(std::memory_order_relaxed);
    const Dropped dropped = capture_here(*attempt.slot, {source_, values, labels, true});
    if (!dropped) {
      const uint64_t ns = std::min(cost_ns.load(std::memory_order_relaxed) - before_ns, kMostWalkNs);
      shares_[slot_number(*attempt.slot)].walked(attempt.began, ns * capture_setup().tsc_per_ms / 1'000'000,
                                                 share_.one_in);
    }
    if (attempt.first && !dropped) Tally::walked(*attempt.sum);
    if (!dropped) return;
  }
  if (attempt.sum != nullptr)
    Tally::add(*attempt.sum, values);
  else
    tally_->add(attempt.thread, source_, values, kept(labels), largest_);
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
