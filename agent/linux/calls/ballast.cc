#include "agent/linux/calls/ballast.h"

#include <unistd.h>

#include <atomic>

#include "agent/linux/calls/code_port.h"
#include "agent/linux/own_thread.h"
#include "clr/abi/enums.h"
#include "clr/abi/hresults.h"
#include "clr/names/runtime_info.h"

namespace walkabout::agent {
namespace {
constexpr int kStops = 100;
constexpr useconds_t kBetweenStopsUs = 1000;
constinit std::atomic<bool> g_called{false};
}  // namespace

bool are_notified_profilers_called() {
  const CodePort* port = code_port();
  return g_called.load() || (port != nullptr && port->came_with_program());
}

clr::HRESULT Ballast::LoadAsNotificationOnly(clr::BOOL* only) {
  *only = 1;
  return clr::S_OK;
}

clr::HRESULT Ballast::InitializeForAttach(clr::IUnknown* info, void*, uint32_t) {
  if (are_notified_profilers_called() || code_port() == nullptr)
    return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
  info_ = clr::newest_info(info);
  return info_ && !clr::failed(info_->SetEventMask2(clr::COR_PRF_MONITOR_SUSPENDS, 0))
             ? clr::S_OK
             : clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
}

clr::HRESULT Ballast::ProfilerAttachComplete() {
  OwnThread thread;
  std::atomic<pid_t> tid{0};
  const base::Status started = thread.start("walkabout-port", &tid, [this] {
    for (int i = 0; i < kStops && !g_called.load(); ++i) {
      if (!clr::failed(info_->SuspendRuntime())) return static_cast<void>(info_->ResumeRuntime());
      ::usleep(kBetweenStopsUs);  // others stop it just now
    }
  });
  if (started.ok()) thread.join();
  if (g_called.load()) info_->SetEventMask2(0, 0);  // else it does not know us
  return clr::S_OK;
}

// Whoever stops it.
clr::HRESULT Ballast::RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_REASON) {
  g_called.store(true);
  return clr::S_OK;
}

}  // namespace walkabout::agent
