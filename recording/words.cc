#include "recording/words.h"

#include <cstdio>

namespace walkabout::recording {

const char* to_string(wire::WalkEnd end) {
  switch (end) {
    case wire::WalkEnd::kRooted:
      return "rooted";
    case wire::WalkEnd::kNoUnwindInfo:
      return "no_unwind_info";
    case wire::WalkEnd::kBadMemory:
      return "bad_memory";
    case wire::WalkEnd::kBadReturn:
      return "bad_return";
    case wire::WalkEnd::kNoProgress:
      return "no_progress";
    case wire::WalkEnd::kTooDeep:
      return "too_deep";
    case wire::WalkEnd::kGap:
      return "gap";
    case wire::WalkEnd::kNotWalked:
      return "not_walked";
    case wire::WalkEnd::kCount:
      break;
  }
  return "unknown";
}

const char* to_string(wire::DropCause cause) {
  switch (cause) {
    case wire::DropCause::kRingFull:
      return "ring_full";
    case wire::DropCause::kThrottled:
      return "throttled";
    case wire::DropCause::kStopping:
      return "stopping";
    case wire::DropCause::kCorrupt:
      return "corrupt";
    case wire::DropCause::kKilled:
      return "killed";
    case wire::DropCause::kBlocked:
      return "blocked";
    case wire::DropCause::kCount:
      break;
  }
  return "unknown";
}

const char* to_string(wire::Engine engine) {
  switch (engine) {
    case wire::Engine::kPerf:
      return "perf";
    case wire::Engine::kTimer:
      return "timer";
    case wire::Engine::kSuspend:
      return "suspend";
  }
  return "unknown";
}

std::string ticks_of(const wire::Session& session) {
  const std::string engine = to_string(session.engine);
  return session.engine == wire::Engine::kPerf && !session.kernel_ticks ? engine + ", not inside system calls"
                                                                        : engine;
}

const char* to_string(wire::ThreadKind kind) {
  switch (kind) {
    case wire::ThreadKind::kNative:
      return "native";
    case wire::ThreadKind::kManaged:
      return "managed";
    case wire::ThreadKind::kAgent:
      return "agent";
  }
  return "unknown";
}

namespace {

std::string with_unit(double number, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, "%.4g%s", number, unit);
  return text;
}

std::string time(uint64_t ns) {
  const auto n = static_cast<double>(ns);
  return ns < 1'000'000       ? with_unit(n / 1e3, " us")
         : ns < 1'000'000'000 ? with_unit(n / 1e6, " ms")
                              : with_unit(n / 1e9, " s");
}

}  // namespace

std::string sentence(const wire::Rate& rate) {
  const std::string change =
      "one sample every " + time(rate.interval_ns) + " of CPU time instead of every " + time(rate.before_ns);
  const std::string budget = with_unit(static_cast<double>(rate.budget_ppm) / 1e4, "%");
  if (rate.cost_ppm == 0) return "budget " + budget + ": " + change + " from the start on";
  return "budget " + budget + ": sampling took " + with_unit(static_cast<double>(rate.cost_ppm) / 1e4, "%") +
         " of the CPU time; from " + with_unit(static_cast<double>(rate.time_us) / 1e6, " s") + " on " +
         change;
}

}  // namespace walkabout::recording
