#include "agent/sources/linux/owner_samples.h"

#include "agent/linux/handler/handler.h"
#include "agent/sources/linux/requested_sample.h"
#include "agent/sources/lock_event.h"

namespace walkabout::agent {

void OwnerSamples::start(const SourceContext& context) {
  const auto emit = [this](ThreadSlot& writer, const HeldUp& held, const RequestedStack& stack) {
    const LockEvent event = LockEvent::held_up(held.held_ns, held.lock, static_cast<uint64_t>(held.owner));
    capture_requested(writer, held.owner_place, held.until_ns, stack, samples_,
                      {wire::source_id("locks"), event.values, event.labels});
  };
  if (base::Status owners = owners_.start(context, emit); !owners.ok())
    context.spooler.report(wire::Severity::kWarning,
                           "the stacks of locks' owners are not recorded: " + owners.message());
}

void OwnerSamples::on_thread_end() {
  if (const ThreadSlot* slot = current_slot(); slot != nullptr) owners_.leaves(slot_number(*slot));
}

void OwnerSamples::on_suspension(Source::Suspension what) {
  if (what == Source::Suspension::kStarts) owners_.locks().suspends();
  if (what == Source::Suspension::kEnds) owners_.locks().resumes();
}

}  // namespace walkabout::agent
