// What the first part of a program's life was spent on: compiling, loading, collecting, running. Of a
// recording that has the program's start. Any thread, no state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::profile {

inline constexpr uint32_t kNobody = UINT32_MAX;

// One method that was compiled, one type or assembly that was loaded.
struct StartupItem {
  std::string name;  // empty: not known
  uint64_t time_us = 0;
  uint64_t ns = 0;
  uint32_t caller = kNobody;  // index into frames: the managed method whose code asked for it
};

struct StartupSums {
  uint64_t count = 0;
  uint64_t ns = 0;
};

struct StartupTier {
  std::string name;
  StartupSums sums;
};

// A part of the time.
struct StartupPart {
  uint64_t begin_us = 0, end_us = 0;
  std::array<uint64_t, static_cast<size_t>(Activity::kCount)> cpu_ns{};
  uint64_t compile_ns = 0, load_ns = 0, pause_ns = 0;
};

struct StartupCompiles : StartupSums {
  uint64_t code_bytes = 0, il_bytes = 0;
  std::vector<StartupTier> tiers;    // most time first
  std::vector<StartupItem> longest;  // by method
};

struct StartupLoads {
  StartupSums types;
  uint64_t modules = 0;
  std::vector<StartupItem> assemblies;  // in the order they came
  std::vector<StartupItem> longest;     // types
};

struct Startup {
  uint64_t end_us = 0;  // of the time that it is about
  // By activity; none: CPU time was not recorded.
  std::optional<std::array<uint64_t, static_cast<size_t>(Activity::kCount)>> cpu_ns;
  // Of the thread that has the program's entry, by wire::ThreadState; none: wall-clock time was not recorded.
  std::optional<std::array<uint64_t, 4>> main_ns;
  // None: the event was not recorded.
  std::optional<StartupCompiles> compiles;
  std::optional<StartupLoads> loads;
  std::optional<StartupSums> pauses, exceptions, locks, waits;
  std::vector<StartupPart> parts;
  uint64_t summed = 0;  // samples that are sums of events, which count up to one pass of the agent's later
};

inline constexpr size_t kStartupParts = 10;
// What a thread did before the end may be told so much later: a blocked one has a sample every two seconds,
// or every period, of which the longest is this (wire/sources.h).
inline constexpr uint64_t kToldLaterUs = 10'000'000;

// end_us: of the time that is looked at, from the begin on. most: items of each list. An error where the
// recording has no start. REQUIRES: the profile has no view: all samples with all their values, up to
// kToldLaterUs behind the end.
base::Result<Startup> startup(const Profile& profile, uint64_t end_us, size_t most);

}  // namespace walkabout::profile
