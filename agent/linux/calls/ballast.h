// A notification profiler that does nothing and stays: it makes the runtime call those that come behind it.
//
// The runtime counts its notification profilers, and goes through them only where it has counted some. But it
// also counts one less whenever a profiler of the main slot has left or has refused (DeRegisterProfilerInfo,
// profilinghelper.inl). In a process that was attached to so often before, it calls no notification profiler,
// does not find ours when that asks to leave, and ends the process with a fault there (.NET 8, 9 and 10). So
// before the agent comes as one, as many of these come as it takes until one of them is called. That is tried
// by stopping the runtime for a moment: a profiler that is called hears of it.
//
// One object for all of them, under a CLSID of its own (wire/agent_id.h).
#pragma once

#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class Ballast : public clr::CallbackBase {
 public:
  clr::HRESULT LoadAsNotificationOnly(clr::BOOL* only) override;
  // Refuses where there are enough, or no code port that they are for.
  clr::HRESULT InitializeForAttach(clr::IUnknown* info, void*, uint32_t) override;
  clr::HRESULT ProfilerAttachComplete() override;
  clr::HRESULT RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_REASON reason) override;

 private:
  clr::ComPtr<clr::ICorProfilerInfo12> info_;
};

// The runtime calls profilers beside the code port: that came with the program, or there is enough ballast.
bool are_notified_profilers_called();

}  // namespace walkabout::agent
