#include "agent/shared/thread_view.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace walkabout::agent {
namespace {

constexpr auto kCorrupt = static_cast<size_t>(wire::DropCause::kCorrupt);

void add_lane(const wire::LaneHeader& lane, SourceTotals* sources) {
  for (size_t i = 0; i < wire::kMostSources; ++i) {
    const wire::SourceAccount& account = lane.accounts[i];
    SourceTotals& to = sources[i];
    to.attempts += account.attempts.load(std::memory_order_relaxed);
    // What the spooler found damaged had been counted as a sample when it was written.
    to.samples += account.samples.load(std::memory_order_relaxed) -
                  account.drops[kCorrupt].load(std::memory_order_relaxed);
    to.taken += lane.taken[i].load(std::memory_order_relaxed);
    for (size_t cause = 0; cause < std::size(to.drops); ++cause)
      to.drops[cause] += account.drops[cause].load(std::memory_order_relaxed);
  }
}

}  // namespace

uint64_t SourceTotals::all_drops() const {
  return std::accumulate(std::begin(drops), std::end(drops), uint64_t{0});
}

void SlotTotals::add(const wire::SlotHeader& s) {
  for (const wire::LaneHeader& lane : s.lanes) add_lane(lane, sources);
  frames += s.ticks().frames.load(std::memory_order_relaxed);
  handler_ns += s.ticks().cost_ns.load(std::memory_order_relaxed);
  callbacks_ns += s.lane(wire::Lane::kCallback).cost_ns.load(std::memory_order_relaxed);
  overruns += s.overruns.load(std::memory_order_relaxed);
}

void SlotTotals::publish(wire::RingTotals* to) const {
  for (size_t i = 0; i < wire::kMostSources; ++i) {
    wire::SourceAccount& account = to->accounts[i];
    account.attempts.store(sources[i].attempts, std::memory_order_relaxed);
    account.samples.store(sources[i].samples, std::memory_order_relaxed);
    for (size_t cause = 0; cause < std::size(account.drops); ++cause)
      account.drops[cause].store(sources[i].drops[cause], std::memory_order_relaxed);
  }
  to->handler_ns.store(handler_ns, std::memory_order_relaxed);
  to->callbacks_ns.store(callbacks_ns, std::memory_order_relaxed);
  to->frames.store(frames, std::memory_order_relaxed);
  to->overruns.store(overruns, std::memory_order_relaxed);
}

bool SlotTotals::settled() const {
  return std::all_of(std::begin(sources), std::end(sources),
                     [](const SourceTotals& s) { return s.attempts == s.samples + s.all_drops(); });
}

}  // namespace walkabout::agent
