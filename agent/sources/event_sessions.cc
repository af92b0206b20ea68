#include "agent/sources/event_sessions.h"

#include <array>
#include <string_view>
#include <utility>

#include "clr/abi/hresults.h"
#include "clr/events/eventpipe_method.h"
#include "clr/events/keywords.h"

namespace walkabout::agent {
namespace {

constexpr char16_t kRuntimeProvider[] = u"Microsoft-Windows-DotNETRuntime";

}  // namespace

std::string EventSessions::start(clr::ICorProfilerInfo12* info,
                                 const std::map<uint32_t, uint64_t>& keywords) {
  info_ = info;
  std::string problem;
  for (const auto& [level, of_level] : keywords) {
    clr::COR_PRF_EVENTPIPE_PROVIDER_CONFIG provider{kRuntimeProvider, of_level, level, nullptr};
    clr::EVENTPIPE_SESSION session = 0;
    if (!clr::failed(info->EventPipeStartSession(1, &provider, 0, &session))) {
      sessions_.push_back(session);
    } else if ((of_level & clr::kJitKeyword) != 0) {
      problem =
          "the runtime's JIT events cannot be had: jitted methods stay unnamed and their stacks incomplete";
    } else if (problem.empty()) {
      problem = "some of the runtime's events cannot be had: what they tell of is missing";
    }
  }
  return problem;
}

void EventSessions::stop() {
  for (const clr::EVENTPIPE_SESSION session : std::exchange(sessions_, {}))
    info_->EventPipeStopSession(session);
}

// Its name tells, or that only the runtime's own provider has these events. Before there is a session nobody
// is asked.
bool EventSessions::look_for_provider(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id) {
  std::array<clr::WCHAR, 64> name{};
  uint32_t size = 0;
  const bool named =
      info_ != nullptr &&
      !clr::failed(info_->EventPipeGetProviderInfo(provider, name.size(), &size, name.data())) &&
      std::u16string_view(name.data()) == kRuntimeProvider;
  const bool is = named || event_id == clr::kMethodJittingStarted || event_id == clr::kMethodLoadVerbose;
  if (is) provider_.store(provider, std::memory_order_relaxed);
  return is;
}

}  // namespace walkabout::agent
