// The CLR's side of the agent on Windows: what it calls, translated into calls of the parts.
// Callbacks arrive concurrently on the program's threads, any of which the sampler may stop at any time: they hold no
// lock that the sampler takes while a thread is stopped, and none of ours across a call into the CLR.
#pragma once

#include <memory>
#include <string>

#include "agent/windows/recording.h"
#include "clr/callback_base.h"
#include "clr/com_ptr.h"
#include "clr/info.h"

namespace walkabout::agent {

class WindowsProfiler : public clr::CallbackBase {
 public:
  clr::HRESULT Initialize(clr::IUnknown* info) override;
  clr::HRESULT Shutdown() override;
  clr::HRESULT ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) override;
  clr::HRESULT ModuleUnloadStarted(clr::ModuleID module) override;
  clr::HRESULT ThreadAssignedToOSThread(clr::ThreadID thread, uint32_t os_thread) override;
  // Blocks until a walk of the thread is done.
  clr::HRESULT ThreadDestroyed(clr::ThreadID thread) override;
  clr::HRESULT ThreadNameChanged(clr::ThreadID thread, uint32_t length, clr::WCHAR* name) override;
  clr::HRESULT GarbageCollectionStarted(int generations, clr::BOOL* collected,
                                        clr::COR_PRF_GC_REASON reason) override;
  clr::HRESULT GarbageCollectionFinished() override;
  clr::HRESULT EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id, uint32_t event_version,
                                       uint32_t metadata_size, const uint8_t* metadata, uint32_t data_size,
                                       const uint8_t* data, const clr::GUID* activity, const clr::GUID* related,
                                       clr::ThreadID thread, uint32_t frames, uintptr_t* stack) override;

 private:
  // Empty when all is well.
  std::string open(clr::IUnknown* info);
  std::string start_events();
  std::string runtime_name() const;

  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  std::unique_ptr<Recording> recording_;
  clr::EVENTPIPE_SESSION session_ = 0;
};

}  // namespace walkabout::agent
