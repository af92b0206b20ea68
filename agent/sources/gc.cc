#include "agent/sources/gc.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "base/clock.h"
#include "clr/events/keywords.h"

namespace walkabout::agent {
namespace {

std::u16string_view generation_text(uint32_t generation) {
  constexpr std::u16string_view kTexts[] = {u"generation 0", u"generation 1", u"generation 2"};
  return generation < std::size(kTexts) ? kTexts[generation] : u"";
}

}  // namespace

std::unique_ptr<Source> make_gc_source() { return std::make_unique<GcSource>(); }

wire::Source GcSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"pause", "nanoseconds"},
                   {"suspending", "nanoseconds"},
                   {"pauses", "count"},
                   {"waited for", "nanoseconds"}},
                  {{"generation", wire::LabelType::kText},
                   {"reason", wire::LabelType::kText},
                   {"kind", wire::LabelType::kText},
                   {"last thread", wire::LabelType::kThread}},
                  {{"heap", "bytes"},
                   {"generation 0", "bytes"},
                   {"generation 1", "bytes"},
                   {"generation 2", "bytes"},
                   {"large objects", "bytes"},
                   {"pinned objects", "bytes"}});
}

base::Status GcSource::start(const SourceContext& context) {
  if (base::Status started = EventSource::start(context); !started.ok()) return started;
  late_.start(context);
  return {};
}

void GcSource::stop() {
  late_.stop();
  EventSource::stop();
}

void GcSource::on_suspension(Suspension what, clr::COR_PRF_SUSPEND_REASON reason) {
  late_.on_suspension(what, reason);
}

void GcSource::on_thread_stopped(clr::ThreadID thread) { late_.on_thread_stopped(thread, capture_); }

SourceNeeds GcSource::needs(uint32_t /*runtime*/) const {
  return {0, 0, clr::kGcKeyword, clr::kInformational};
}

void GcSource::on_event(const RuntimeEvent& event) {
  switch (event.id) {
    case clr::kGcStart:
      return gc_begins(event);
    case clr::kGcEnd: {
      clr::GcEnd end;
      if (!clr::parse_gc_end(event.payload, &end)) return;
      uint64_t ended = uint64_t{end.count} + 1;
      background_count_.compare_exchange_strong(ended, 0, std::memory_order_relaxed);
      return;
    }
    case clr::kGcHeapStats:
      return heap_measured(event);
    case clr::kSuspendBegin:
    case clr::kSuspendEnd:
    case clr::kRestartBegin:
    case clr::kRestartEnd:
      break;
    default:
      return;
  }
  if (Pause* pause = capture_.mine(pauses_); pause != nullptr) suspended(event, *pause);
}

void GcSource::suspended(const RuntimeEvent& event, Pause& pause) {
  if (event.id == clr::kSuspendBegin) {
    pause = {};
    if (clr::parse_suspend_begin(event.payload, &pause.reason)) pause.began_ns = base::monotonic_ns();
  } else if (event.id == clr::kSuspendEnd) {
    pause.began_ns =
        pause.began_ns == 0 ? 0 : std::max(pause.began_ns, last_end_ns_.load(std::memory_order_relaxed));
    pause.stopped_ns = base::monotonic_ns();
    collects_.store(false, std::memory_order_relaxed);
  } else if (event.id == clr::kRestartBegin) {
    all_go_on(pause);
  } else if (pause.began_ns != 0) {
    pause_ended(pause);
  }
}

void GcSource::gc_begins(const RuntimeEvent& event) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  clr::GcStart start;
  if (!clr::parse_gc_start(event.payload, &start)) return;
  generation_.store(start.generation, kRelaxed);
  reason_.store(start.reason, kRelaxed);
  background_.store(start.background, kRelaxed);
  if (start.background) background_count_.store(uint64_t{start.count} + 1, kRelaxed);
  collects_.store(true, kRelaxed);
}

void GcSource::heap_measured(const RuntimeEvent& event) {
  clr::HeapStats heap;
  if (!clr::parse_heap_stats(event.payload, &heap)) return;
  const auto& [generation0, generation1, generation2] = heap.generation;
  const uint64_t all = generation0 + generation1 + generation2 + heap.large_objects + heap.pinned_objects;
  const GcEvent sizes{
      {0, 0, 0, 0, all, generation0, generation1, generation2, heap.large_objects, heap.pinned_objects}, {}};
  capture_.event(sizes.values, sizes.labels);
}

// Nobody else stops the threads yet.
void GcSource::all_go_on(Pause& pause) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  pause.collects = collects_.exchange(false, kRelaxed);
  pause.generation = generation_.load(kRelaxed);
  pause.gc_reason = reason_.load(kRelaxed);
  pause.last_thread = late_.last_tid();
  pause.background = background_.load(kRelaxed) && pause.collects;
  if (!pause.collects) pause.background = background_count_.load(kRelaxed) != 0;
}

void GcSource::pause_ended(Pause& pause) {
  const uint64_t now_ns = base::monotonic_ns();
  last_end_ns_.store(now_ns, std::memory_order_relaxed);
  const uint64_t stopped_ns = std::clamp(pause.stopped_ns, pause.began_ns, now_ns);
  GcEvent event{{now_ns - pause.began_ns, stopped_ns - pause.began_ns, 1}, {}};
  std::array<uint64_t, GcEvent::kLabels>& labels = event.labels;
  labels[3] = static_cast<uint64_t>(pause.last_thread);
  if (!clr::is_for_gc(pause.reason)) {
    labels[1] = label(*texts_, clr::suspend_reason_text(pause.reason));
    labels[2] = label(*texts_, u"no collection");
  } else if (!pause.collects) {
    labels[1] = label(*texts_, u"collection");
    labels[2] = pause.background ? label(*texts_, u"background, later pause") : 0;
  } else {
    labels[0] = label(*texts_, generation_text(pause.generation));
    labels[1] = label(*texts_, clr::gc_reason_text(pause.gc_reason));
    labels[2] = label(*texts_, pause.background ? std::u16string_view(u"background") : u"blocking");
  }
  pause = {};
  capture_.event(event.values, labels);
}

}  // namespace walkabout::agent
