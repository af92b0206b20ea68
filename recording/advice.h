// What the person who recorded could do better next time, by the figures of the recording: a rate too high
// for this program's stacks, a profiler that takes too much. One sentence each, with the remedy; every output
// shows them as it shows the agent's own messages. Any thread, no state.
#pragma once

#include <string>
#include <vector>

#include "wire/records.h"

namespace walkabout::recording {

// Less is not worth a sentence: of the ticks left out, and of the CPU time taken by profiling.
inline constexpr uint64_t kThrottledWorthSayingPercent = 1;
inline constexpr uint64_t kThrottledWorthSaying = 10;  // ticks
inline constexpr uint64_t kCostWorthSayingPercent = 5;

// counters: the last ones said. Nothing is advised about a rate that a budget holds.
std::vector<std::string> advice(const wire::Session& session, const wire::Counters& counters, bool budget);

}  // namespace walkabout::recording
