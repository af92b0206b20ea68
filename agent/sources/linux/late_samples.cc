#include "agent/sources/linux/late_samples.h"

#include <optional>

#include "agent/sources/gc_event.h"
#include "agent/sources/linux/requested_sample.h"

namespace walkabout::agent {

void LateSamples::start(const SourceContext& context) {
  const auto emit = [this, &texts = context.texts](ThreadSlot& writer, const LateThreadFound& found,
                                                   const RequestedStack& stack) {
    const GcEvent event = GcEvent::late(texts, found.reason, found.waited_ns, found.tid);
    capture_requested(writer, {found.slot, found.thread}, found.ended_ns, stack, samples_,
                      {wire::source_id("gc"), event.values, event.labels});
  };
  if (base::Status late = late_.start(context, emit); !late.ok())
    context.spooler.report(wire::Severity::kWarning,
                           "who came last when all threads were stopped is not recorded: " + late.message());
}

void LateSamples::on_suspension(Source::Suspension what, clr::COR_PRF_SUSPEND_REASON reason) {
  if (what == Source::Suspension::kStarts) late_.starts(reason);
  if (what == Source::Suspension::kAllStand) late_.all_stand();
  if (what == Source::Suspension::kEnds) late_.ends();
}

void LateSamples::on_thread_stopped(clr::ThreadID thread, const EventCapture& capture) {
  if (!late_.is_on()) return;
  const std::optional<Place> place = capture.place();
  if (!place) return;
  const uint64_t object = thread_slots()[place->slot].clr_thread.load(std::memory_order_relaxed);
  if (object == thread) late_.came(*place);
}

}  // namespace walkabout::agent
