// What may be asked of an agent, and what it does where nothing was asked. Pure; any thread.
#pragma once

#include <cstdint>

namespace walkabout::wire {

// CPU time of a thread between two of its samples.
inline constexpr uint64_t kMinIntervalNs = 100'000;
inline constexpr uint64_t kUsualIntervalNs = 10'101'010;  // 99 Hz
inline constexpr uint64_t kMaxIntervalNs = 1'000'000'000;

// Frames kept of one stack.
inline constexpr uint32_t kMinDepth = 16;
inline constexpr uint32_t kUsualDepth = 2048;
inline constexpr uint32_t kMaxDepth = 65'536;

// How long one of the recordings goes that follow one another.
inline constexpr uint64_t kMinEveryNs = 1'000'000'000;

// How long the program may stand while its heap is looked through.
inline constexpr uint64_t kLeastMaxPauseNs = 1'000'000;
inline constexpr uint64_t kUsualMaxPauseNs = 200'000'000;
inline constexpr uint64_t kMostMaxPauseNs = 60'000'000'000;

}  // namespace walkabout::wire
