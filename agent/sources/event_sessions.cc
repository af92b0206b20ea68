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
constexpr char16_t kPrivateProvider[] = u"Microsoft-Windows-DotNETRuntimePrivate";

}  // namespace

[[gnu::cold]] std::string EventSessions::start(clr::ICorProfilerInfo12* info,
                                               const std::map<uint32_t, uint64_t>& keywords,
                                               uint64_t private_keywords) {
  info_ = info;
  std::string problem;
  for (const auto& [level, of_level] : keywords) {
    clr::COR_PRF_EVENTPIPE_PROVIDER_CONFIG providers[] = {
        {kRuntimeProvider, of_level, level, nullptr},
        {kPrivateProvider, private_keywords, clr::kVerbose, nullptr}};
    clr::EVENTPIPE_SESSION session = 0;
    const bool both = private_keywords != 0 && (of_level & clr::kJitKeyword) != 0;
    if ((both && !clr::failed(info->EventPipeStartSession(2, providers, 0, &session))) ||
        !clr::failed(info->EventPipeStartSession(1, providers, 0, &session))) {
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

// False before start(): there is no info to ask.
[[gnu::cold]] bool EventSessions::is_called(clr::EVENTPIPE_PROVIDER provider, std::u16string_view name) {
  std::array<clr::WCHAR, 64> found{};
  uint32_t size = 0;
  return info_ != nullptr &&
         !clr::failed(info_->EventPipeGetProviderInfo(provider, found.size(), &size, found.data())) &&
         std::u16string_view(found.data()) == name;
}

// Its name tells, or that only the runtime's own provider has these events.
bool EventSessions::look_for_provider(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id) {
  const bool is = is_called(provider, kRuntimeProvider) || event_id == clr::kMethodJittingStarted ||
                  event_id == clr::kMethodLoadVerbose;
  if (is) provider_.store(provider, std::memory_order_relaxed);
  return is;
}

bool EventSessions::is_private(clr::EVENTPIPE_PROVIDER provider) {
  const clr::EVENTPIPE_PROVIDER known = private_.load(std::memory_order_relaxed);
  if (known != 0) return provider == known;
  const bool is = is_called(provider, kPrivateProvider);
  if (is) private_.store(provider, std::memory_order_relaxed);
  return is;
}

}  // namespace walkabout::agent
