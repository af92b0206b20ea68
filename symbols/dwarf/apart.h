// Work on hostile bytes in a process of its own: whatever it comes to there, this one goes on. It is forked,
// has nothing open but what is named, memory and CPU time up to a limit, and is the first to be ended where a
// machine or a container runs out of memory. It ends with its parent.
//
// REQUIRES: the process has one thread. Waits for the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace walkabout::symbols {

// The exit code by which it says, from wherever it is, that it has no memory.
inline constexpr int kApartNoMemory = 3;

struct ApartLimits {
  uint64_t memory = 1ull << 30;  // bytes, beside what this process has; files that are mapped do not count
  uint32_t seconds = 30;         // of CPU time
  uint32_t clock_seconds = 300;  // by the clock: it may wait for something, or for a processor
  size_t answer = 32 << 20;      // bytes
};

enum class ApartEnd : uint8_t {
  kDone,
  kCrashed,
  kOutOfMemory,
  kTooLong,
  kNotBegun,  // there could be no process
};

struct ApartResult {
  ApartEnd end = ApartEnd::kNotBegun;
  std::string answer;  // what `work` returned; empty but where it is done
  uint64_t cpu_us = 0;
};

// fds: stay open in it, beside the standard ones.
ApartResult run_apart(const ApartLimits& limits, std::vector<int> fds,
                      const std::function<std::string()>& work);

}  // namespace walkabout::symbols
