#include "agent/sources/locks.h"

#include <memory>
#include <utility>

#include "agent/sources/lock_event.h"
#include "agent/sources/table.h"
#include "base/clock.h"
#include "clr/events/keywords.h"
#include "clr/events/waiting.h"

namespace walkabout::agent {
std::unique_ptr<Source> make_locks_source() { return std::make_unique<LocksSource>(); }

wire::Source LocksSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"time waited", "nanoseconds"}, {"contentions", "count"}, {"held up", "nanoseconds"}},
                  {{"lock", wire::LabelType::kAddress}, {"owner", wire::LabelType::kThread}});
}

SourceNeeds LocksSource::needs(uint32_t /*runtime*/) const {
  return {0, 0, clr::kContentionKeyword, clr::kInformational};
}

base::Status LocksSource::start(const SourceContext& context) {
  if (base::Status started = EventSource::start(context); !started.ok()) return started;
  owners_.start(context);
  return {};
}

void LocksSource::stop() {
  owners_.stop();
  EventSource::stop();
}

void LocksSource::on_suspension(Suspension what, clr::COR_PRF_SUSPEND_REASON /*reason*/) {
  owners_.on_suspension(what);
}

void LocksSource::on_thread_end() { owners_.on_thread_end(); }

void LocksSource::on_event(const RuntimeEvent& event) {
  if (event.id != clr::kContentionStart && event.id != clr::kContentionStop) return;
  const std::optional<Place> place = capture_.place();
  if (!place) return;
  Wait& wait = waits_.of(*place);
  if (event.id == clr::kContentionStart) {
    clr::ContentionStart start;
    if (!clr::parse_contention_start(event.payload, event.version, &start)) return;
    wait = {base::monotonic_ns(), start.lock, start.owner};
    owners_.begins(*place, start, wait.began_ns);
    return;
  }
  const Wait waited = std::exchange(wait, Wait{});
  if (waited.began_ns == 0) return;  // it began before the recording
  const uint64_t now_ns = base::monotonic_ns();
  owners_.ends(*place, now_ns);
  const LockEvent contention = LockEvent::waited(now_ns - waited.began_ns, waited.lock, waited.owner);
  capture_.event(contention.values, contention.labels);
}

}  // namespace walkabout::agent
