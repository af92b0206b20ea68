#include "agent/sources/locks.h"

#include <array>
#include <memory>
#include <utility>

#include "agent/sources/table.h"
#include "base/clock.h"
#include "clr/events/waiting.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kContentionKeyword = 0x4000;
constexpr uint32_t kInformational = 4;

}  // namespace

std::unique_ptr<Source> make_locks_source() { return std::make_unique<LocksSource>(); }

wire::Source LocksSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"time waited", "nanoseconds"}, {"contentions", "count"}},
                  {{"lock", wire::LabelType::kAddress}, {"owner", wire::LabelType::kThread}});
}

SourceNeeds LocksSource::needs(uint32_t /*runtime*/) const {
  return {0, 0, kContentionKeyword, kInformational};
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
    return;
  }
  const Wait waited = std::exchange(wait, Wait{});
  if (waited.began_ns == 0) return;  // it began before the recording
  const std::array<uint64_t, 2> values{base::monotonic_ns() - waited.began_ns, 1};
  const std::array<uint64_t, 2> labels{waited.lock, waited.owner};
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
