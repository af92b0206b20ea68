#include "agent/linux/calls/count_probe.h"

#include <algorithm>
#include <array>

#include "il/insertion.h"
#include "il/pieces.h"
#include "wire/call_records.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

// void (ulong) in the runtime's own convention (ECMA-335 II.23.2.1).
constexpr clr::COR_SIGNATURE kCountSignature[] = {0, 1, 1, 0x0b};

}  // namespace

bool CountProbe::take_up(clr::ModuleID module, clr::IMetaDataEmit& metadata) {
  clr::mdSignature signature = 0;
  if (clr::failed(metadata.GetTokenFromSig(kCountSignature, sizeof kCountSignature, &signature)))
    return false;
  const base::Lock lock(mutex_);
  signatures_[module] = signature;
  return true;
}

std::string CountProbe::put_into(const ProbedMethod& method, il::Body* body) {
  clr::mdSignature signature = 0;
  {
    const base::Lock lock(mutex_);
    signature = signatures_[method.module];
  }
  const std::array<uint64_t, 1> arguments = {method.index};
  const il::Cause cause =
      il::insert_at_entry(il::call_native(reinterpret_cast<uint64_t>(function_), arguments, signature), body);
  return std::string(il::sentence_of(cause));
}

void CountProbe::emit(uint64_t time_us, size_t methods, std::string* records) {
  counters_.keep_spare();
  const std::vector<uint64_t> sums = counters_.sums();
  emitted_.resize(std::max(emitted_.size(), sums.size()));
  wire::CallCounts counts;
  counts.time_us = time_us;
  for (size_t i = 0; i < std::min(sums.size(), methods); ++i) {
    if (sums[i] == emitted_[i]) continue;
    counts.index.push_back(i);
    counts.calls.push_back(sums[i] - emitted_[i]);
    emitted_[i] = sums[i];
  }
  if (!counts.index.empty()) wire::encode(counts, *records);
}

}  // namespace walkabout::agent
