#include "recording/words.h"

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

}  // namespace walkabout::recording
