#include "agent/sources/gc.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kGcKeyword = 1;
constexpr uint32_t kInformational = 4;

std::u16string_view generation_text(uint32_t generation) {
  constexpr std::u16string_view kTexts[] = {u"generation 0", u"generation 1", u"generation 2"};
  return generation < std::size(kTexts) ? kTexts[generation] : u"";
}

}  // namespace

std::unique_ptr<Source> make_gc_source() { return std::make_unique<GcSource>(); }

wire::Source GcSource::declaration(uint64_t /*period_ns*/) const {
  wire::Source source;
  source.values = {{"pause", "nanoseconds", wire::Adding::kSum},
                   {"suspending", "nanoseconds", wire::Adding::kSum},
                   {"pauses", "count", wire::Adding::kSum}};
  const auto text = static_cast<uint32_t>(wire::LabelType::kText);
  source.labels = {{"generation", text}, {"reason", text}, {"kind", text}};
  source.clock = static_cast<uint32_t>(wire::Clock::kEvent);
  return source;
}

SourceNeeds GcSource::needs(uint32_t /*runtime*/) const { return {0, 0, kGcKeyword, kInformational}; }

base::Status GcSource::start(const SourceContext& context) {
  texts_ = &context.texts;
  capture_.begin(context);
  return {};
}

void GcSource::on_event(const RuntimeEvent& event) {
  if (!capture_.is_on()) return;
  constexpr auto kRelaxed = std::memory_order_relaxed;
  switch (event.id) {
    case clr::kSuspendBegin: {
      uint32_t reason = 0;
      if (!clr::parse_suspend_begin(event.payload, &reason)) return;
      suspend_reason_.store(reason, kRelaxed);
      stopped_ns_.store(0, kRelaxed);
      collects_.store(false, kRelaxed);
      began_ns_.store(base::monotonic_ns(), kRelaxed);
      return;
    }
    case clr::kSuspendEnd:
      return stopped_ns_.store(base::monotonic_ns(), kRelaxed);
    case clr::kGcStart: {
      clr::GcStart start;
      if (!clr::parse_gc_start(event.payload, &start)) return;
      generation_.store(start.generation, kRelaxed);
      reason_.store(start.reason, kRelaxed);
      background_.store(start.background, kRelaxed);
      return collects_.store(true, kRelaxed);
    }
    case clr::kRestartEnd:
      return pause_ended();
    default:
      return;
  }
}

void GcSource::pause_ended() {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const uint64_t began_ns = began_ns_.exchange(0, kRelaxed);
  if (began_ns == 0) return;  // before the recording
  const uint64_t now_ns = base::monotonic_ns();
  const uint64_t stopped_ns = std::clamp(stopped_ns_.load(kRelaxed), began_ns, now_ns);
  const std::array<uint64_t, 3> values{now_ns - began_ns, stopped_ns - began_ns, 1};
  const uint32_t why = suspend_reason_.load(kRelaxed);
  std::array<uint64_t, 3> labels{};
  if (!clr::is_for_gc(why)) {
    labels[1] = label(*texts_, clr::suspend_reason_text(why));
    labels[2] = label(*texts_, u"no collection");
  } else if (!collects_.load(kRelaxed)) {
    labels[1] = label(*texts_, u"collection");
    labels[2] = label(*texts_, u"background, later pause");
  } else {
    labels = {label(*texts_, generation_text(generation_.load(kRelaxed))),
              label(*texts_, clr::gc_reason_text(reason_.load(kRelaxed))),
              label(*texts_, background_.load(kRelaxed) ? std::u16string_view(u"background") : u"blocking")};
  }
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
