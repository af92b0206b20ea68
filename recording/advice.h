// What the person who recorded should know or could do better next time, by the figures of the recording: CPU
// time that is in no stack, a rate too high for this program's stacks, a profiler that takes too much. One
// sentence each; every output shows them as it shows the agent's own messages. Any thread, no state.
#pragma once

#include <string>
#include <vector>

#include "recording/coverage.h"
#include "wire/records.h"

namespace walkabout::recording {

// Less is not worth a sentence: of the ticks left out, and of the CPU time taken by profiling.
inline constexpr uint64_t kThrottledWorthReportingPercent = 1;
inline constexpr uint64_t kThrottledWorthReporting = 10;  // ticks
inline constexpr uint64_t kCostWorthReportingPercent = 5;

// Samples that hold less of the program's CPU time than this are worth a sentence, if this much is missing.
inline constexpr uint64_t kWellCoveredPercent = 95;
inline constexpr uint64_t kUncoveredWorthReportingNs = 100'000'000;

// Whether so much CPU time is in no stack that advice() says so.
bool lacks_time(const wire::Counters& counters, const Coverage& coverage);

// counters: the last ones recorded. Nothing is advised about a rate that a budget holds.
std::vector<std::string> advice(const wire::Session& session, const wire::Counters& counters,
                                const Coverage& coverage, bool budget);

}  // namespace walkabout::recording
