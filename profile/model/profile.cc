#include "profile/model/profile.h"

namespace walkabout::profile {

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::kManaged:
      return "managed";
    case Kind::kNative:
      return "native";
    case Kind::kRuntime:
      return "runtime";
    case Kind::kStub:
      return "stub";
    case Kind::kOther:
      break;
  }
  return "other";
}

const char* to_string(Activity activity) {
  switch (activity) {
    case Activity::kManaged:
      return "managed";
    case Activity::kNative:
      return "native";
    case Activity::kRuntime:
      return "runtime";
    case Activity::kGc:
      return "gc";
    case Activity::kJit:
      return "jit";
    case Activity::kCount:
      break;
  }
  return "unknown";
}

const wire::SourceValue& viewed_value(const Profile& profile) {
  static const wire::SourceValue cpu_time = wire::cpu_source({}).values.front();
  if (!profile.view) return cpu_time;
  return profile.sources[profile.view->source].values[profile.view->value];
}

}  // namespace walkabout::profile
