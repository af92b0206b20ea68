// What traced calls come to: by node of their call tree, by method, by thread; with and without the probes.
// Pure. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/traces.h"
#include "recording/trace_totals.h"

namespace walkabout::profile {

// The same that TraceTotals::Row is of, without the probes.
struct RowFigures {
  uint64_t self = 0;
  uint64_t self_cpu = 0;
};
// By row of `totals`. timed: by node, the share of its calls that was timed.
std::vector<RowFigures> without_probes(const recording::TraceTotals& totals,
                                       const std::vector<double>& timed);

// By node, 0 … 1: of methods that lost their times some of the calls have none.
std::vector<double> timed_shares(const recording::TraceTotals& totals);

// Fills in the figures of `traces`, whose nodes and methods are there.
void sum_up(const recording::TraceTotals& totals, const std::vector<RowFigures>& rows, Traces& traces);

}  // namespace walkabout::profile
