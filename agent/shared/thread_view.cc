#include "agent/shared/thread_view.h"

#include <iterator>

namespace walkabout::agent {

void SlotTotals::add(const wire::SlotHeader& s) {
  attempts += s.attempts.load(std::memory_order_relaxed);
  // What the spooler found damaged had been counted as a sample when it was written.
  samples += s.samples.load(std::memory_order_relaxed) -
             s.drops[static_cast<size_t>(wire::DropCause::kCorrupt)].load(std::memory_order_relaxed);
  taken += s.taken.load(std::memory_order_relaxed);
  handler_ns += s.handler_ns.load(std::memory_order_relaxed);
  frames += s.frames.load(std::memory_order_relaxed);
  overruns += s.overruns.load(std::memory_order_relaxed);
  for (size_t i = 0; i < std::size(drops); ++i) drops[i] += s.drops[i].load(std::memory_order_relaxed);
}

void SlotTotals::publish(wire::RingTotals* to) const {
  to->attempts.store(attempts, std::memory_order_relaxed);
  to->handler_ns.store(handler_ns, std::memory_order_relaxed);
  to->frames.store(frames, std::memory_order_relaxed);
  to->overruns.store(overruns, std::memory_order_relaxed);
  for (size_t i = 0; i < std::size(drops); ++i) to->drops[i].store(drops[i], std::memory_order_relaxed);
}

uint64_t SlotTotals::all_drops() const {
  uint64_t n = 0;
  for (uint64_t d : drops) n += d;
  return n;
}

}  // namespace walkabout::agent
