#include "agent/windows/session/windows_options.h"

#include <stdlib.h>

namespace walkabout::agent {
namespace {
constexpr uint64_t kDefaultIntervalNs = 5'000'000;
}

base::Result<WindowsOptions> windows_options() {
  base::Result<Options> common = options_from_environment();
  if (!common.ok()) return common.status();
  WindowsOptions o{*common};
  if (o.common.socket.empty() && o.common.stream.empty())
    return base::Status::error("WALKABOUT_STREAM does not say which file the stream goes to");
  if (::getenv("WALKABOUT_INTERVAL") == nullptr) o.common.interval_ns = kDefaultIntervalNs;
  const char* native = ::getenv("WALKABOUT_NATIVE");
  const std::string requested = native != nullptr ? native : "full";
  if (requested == "holes")
    o.native = NativeFrames::kHoles;
  else if (requested == "none")
    o.native = NativeFrames::kNone;
  else if (requested != "full")
    return base::Status::error("WALKABOUT_NATIVE must be full, holes or none");
  return o;
}

}  // namespace walkabout::agent
