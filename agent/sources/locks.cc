#include "agent/sources/locks.h"

#include <array>
#include <memory>
#include <utility>

#include "agent/linux/handler/handler.h"
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
  base::Status owners =
      owners_.start(context, [this](ThreadSlot& writer, const HeldUp& held, const RequestedStack& stack) {
        emit_owner(writer, held, stack);
      });
  if (!owners.ok())
    context.spooler.report(wire::Severity::kWarning,
                           "the stacks of locks' owners are not recorded: " + owners.message());
  return {};
}

void LocksSource::stop() {
  owners_.stop();
  EventSource::stop();
}

void LocksSource::on_suspension(Suspension what, clr::COR_PRF_SUSPEND_REASON /*reason*/) {
  if (what == Suspension::kStarts) owners_.locks().suspends();
  if (what == Suspension::kEnds) owners_.locks().resumes();
}

void LocksSource::on_thread_end() {
  if (const ThreadSlot* slot = current_slot(); slot != nullptr) owners_.leaves(slot_number(*slot));
}

void LocksSource::emit_owner(ThreadSlot& writer, const HeldUp& held, const RequestedStack& stack) {
  const std::array<uint64_t, 3> values{0, 0, held.held_ns};
  const std::array<uint64_t, 2> labels{held.lock, static_cast<uint64_t>(held.owner)};
  capture_requested(writer, held.owner_place, held.until_ns, stack, owner_samples_,
                    {wire::source_id("locks"), values, labels});
}

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
  const std::array<uint64_t, 3> values{now_ns - waited.began_ns, 1, 0};
  const std::array<uint64_t, 2> labels{waited.lock, waited.owner};
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
