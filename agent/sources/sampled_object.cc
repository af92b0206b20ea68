#include "agent/sources/sampled_object.h"

#include <x86intrin.h>

#include <algorithm>

#include "clr/events/keywords.h"

namespace walkabout::agent {
namespace {

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

// 1 / (1 - e^-x) = 1 + 1 / (e^x - 1).
double objects_of_a_sample(uint64_t size) {
  const double x = static_cast<double>(size) / static_cast<double>(kBytesBetweenSamples);
  return x > 40 ? 1 : 1 + 1 / exp_minus_1(x);
}

uint64_t rounded(double value, uint64_t random) {
  constexpr double kRange = 18446744073709551616.0;  // 2^64
  const auto whole = static_cast<uint64_t>(value);
  return whole + (static_cast<double>(random) < (value - static_cast<double>(whole)) * kRange ? 1 : 0);
}

uint64_t random_number() { return mixed(__rdtsc()); }

SourceNeeds needs_of_sampled_objects(uint32_t runtime) {
  if (runtime >= kFirstWithSampling) return {0, 0, clr::kAllocationSamplingKeyword, clr::kInformational};
  return {0, 0, clr::kGcKeyword, clr::kVerbose};
}

void report_silence(uint32_t runtime, Spooler& spooler) {
  if (runtime < kFirstWithSampling) return;
  spooler.report(wire::Severity::kInfo,
                 "while allocations are sampled, the runtime raises no AllocationTick: other sessions "
                 "(dotnet-trace) do not see any");
}

std::optional<SampledObject> sampled_object(const RuntimeEvent& event) {
  SampledObject sampled;
  clr::AllocatedObject& object = sampled.object;
  if (event.id == clr::kAllocationSampled) {
    if (!clr::parse_allocation_sampled(event.payload, &object)) return {};
    sampled.objects = objects_of_a_sample(object.size);
    sampled.bytes = static_cast<uint64_t>(sampled.objects * static_cast<double>(object.size));
  } else if (event.id == clr::kAllocationTick) {
    if (!clr::parse_allocation_tick(event.payload, event.version, &object)) return {};
    sampled.objects =
        object.size == 0
            ? 1
            : std::max(1.0, static_cast<double>(object.amount) / static_cast<double>(object.size));
    sampled.bytes = object.amount;
  } else {
    return {};
  }
  return sampled;
}

}  // namespace walkabout::agent
