#include "agent/sources/waits.h"

#include <array>
#include <memory>
#include <utility>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "base/clock.h"
#include "clr/events/keywords.h"
#include "clr/events/waiting.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kFirstWithWaits = 9;  // .NET

}  // namespace

std::unique_ptr<Source> make_waits_source() { return std::make_unique<WaitsSource>(); }

wire::Source WaitsSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"time waited", "nanoseconds"}, {"waits", "count"}}, {{"kind", wire::LabelType::kText}});
}

SourceNeeds WaitsSource::needs(uint32_t /*runtime*/) const {
  return {0, 0, clr::kWaitHandleKeyword, clr::kVerbose};
}

base::Status WaitsSource::start(const SourceContext& context) {
  if (context.runtime < kFirstWithWaits)
    return base::Status::error("this runtime has no events for waits (.NET 9 has)");
  return EventSource::start(context);
}

void WaitsSource::on_event(const RuntimeEvent& event) {
  if (event.id != clr::kWaitHandleWaitStart && event.id != clr::kWaitHandleWaitStop) return;
  Wait* wait = capture_.mine(waits_);
  if (wait == nullptr) return;
  if (event.id == clr::kWaitHandleWaitStart) {
    *wait = {base::monotonic_ns(), clr::is_monitor_wait(event.payload)};
    return;
  }
  const Wait waited = std::exchange(*wait, Wait{});
  if (waited.began_ns == 0) return;  // it began before the recording
  const std::array<uint64_t, 2> values{base::monotonic_ns() - waited.began_ns, 1};
  const std::array<uint64_t, 1> labels{
      label(*texts_, waited.monitor ? std::u16string_view(u"Monitor.Wait") : u"handle, semaphore or task")};
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
