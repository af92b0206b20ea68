// The sums in a dead process's ring memory (wire/sums.h): what was added to them that did not come through
// the stream. The memory is hostile: a row that makes no sense is counted, for its source, as damaged. One
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "collect/stream_state.h"
#include "wire/sums.h"

namespace walkabout::cli {

struct UnsentSum {
  base::ThreadId thread;
  base::SourceId source;
  std::vector<uint64_t> values, labels;  // as many as the source declares
};

struct UnsentSums {
  std::vector<UnsentSum> sums;
  std::array<uint64_t, wire::kMostSources> damaged{};  // by source id - 1
};

UnsentSums unsent_sums(const wire::Sums& memory, const StreamState& known);

}  // namespace walkabout::cli
