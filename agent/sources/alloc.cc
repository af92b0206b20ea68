#include "agent/sources/alloc.h"

#include <x86intrin.h>

#include <array>
#include <memory>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"

namespace walkabout::agent {
namespace {

constexpr double kMeanBytes = 102'400;  // between two samples of the runtime's
// Of the provider Microsoft-Windows-DotNETRuntime.
constexpr uint64_t kGcKeyword = 1, kAllocationSamplingKeyword = 0x80'000'000'000;
constexpr uint32_t kInformational = 4, kVerbose = 5;
constexpr uint32_t kFirstWithSampling = 10;  // .NET

// e^x - 1 for x >= 0, to 12 digits: of a small part of x by its series, doubled as often as needed. The agent
// has no library of mathematics.
double exp_minus_1(double x) {
  int doublings = 0;
  while (x > 0.01) {
    x /= 2;
    ++doublings;
  }
  double value = x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5))));
  for (; doublings > 0; --doublings) value = value * (2 + value);
  return value;
}

// The finalizer of SplitMix64.
uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

}  // namespace

std::unique_ptr<Source> make_alloc_source() { return std::make_unique<AllocSource>(); }

// 1 / (1 - e^-x) = 1 + 1 / (e^x - 1).
double objects_of_a_sample(uint64_t size) {
  const double x = static_cast<double>(size) / kMeanBytes;
  return x > 40 ? 1 : 1 + 1 / exp_minus_1(x);
}

uint64_t rounded(double value, uint64_t random) {
  constexpr double kRange = 18446744073709551616.0;  // 2^64
  const auto whole = static_cast<uint64_t>(value);
  return whole + (static_cast<double>(random) < (value - static_cast<double>(whole)) * kRange ? 1 : 0);
}

wire::Source AllocSource::declaration(uint64_t /*period_ns*/) const {
  wire::Source source = declared({{"allocated", "bytes"}, {"objects", "count"}},
                                 {{"type", wire::LabelType::kType}, {"heap", wire::LabelType::kText}});
  source.period = static_cast<uint64_t>(kMeanBytes);
  return source;
}

SourceNeeds AllocSource::needs(uint32_t runtime) const {
  if (runtime >= kFirstWithSampling) return {0, 0, kAllocationSamplingKeyword, kInformational};
  return {0, 0, kGcKeyword, kVerbose};
}

base::Status AllocSource::start(const SourceContext& context) {
  if (context.runtime >= kFirstWithSampling)
    context.spooler.report(
        wire::Severity::kInfo,
        "while allocations are sampled, the runtime raises no AllocationTick: other sessions "
        "(dotnet-trace) do not see any");
  return EventSource::start(context);
}

void AllocSource::on_event(const RuntimeEvent& event) {
  clr::AllocatedObject object;
  if (event.id == clr::kAllocationSampled) {
    if (!clr::parse_allocation_sampled(event.payload, &object)) return;
    const double objects = objects_of_a_sample(object.size);
    sample(object, objects, static_cast<uint64_t>(objects * static_cast<double>(object.size)));
  } else if (event.id == clr::kAllocationTick) {
    if (!clr::parse_allocation_tick(event.payload, event.version, &object)) return;
    const double objects =
        object.size == 0 ? 1 : static_cast<double>(object.amount) / static_cast<double>(object.size);
    sample(object, objects < 1 ? 1 : objects, object.amount);
  }
}

void AllocSource::sample(const clr::AllocatedObject& object, double objects, uint64_t bytes) {
  if (!capture_.is_on()) return;
  const std::array<uint64_t, 2> values{bytes, rounded(objects, mixed(__rdtsc()))};
  const std::array<uint64_t, 2> labels{label(*texts_, object.type),
                                       label(*texts_, clr::heap_text(object.heap))};
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
