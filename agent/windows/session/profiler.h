// The CLR's side of the agent on Windows: what it calls, translated into calls of the parts.
// Callbacks arrive concurrently on the program's threads, any of which the sampler may stop at any time: they
// hold no lock that the sampler takes while a thread is stopped, and none of ours across a call into the CLR.
#pragma once

#include <memory>
#include <string>

#include "agent/core/early_names.h"
#include "agent/windows/session/jit_code.h"
#include "agent/windows/session/recording.h"
#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

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
  clr::HRESULT RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_REASON reason) override;
  clr::HRESULT RuntimeResumeStarted() override;
  clr::HRESULT JITCompilationFinished(clr::FunctionID function, clr::HRESULT status, clr::BOOL safe) override;
  clr::HRESULT DynamicMethodJITCompilationFinished(clr::FunctionID function, clr::HRESULT status,
                                                   clr::BOOL safe) override;
  clr::HRESULT DynamicMethodUnloaded(clr::FunctionID function) override;

 protected:
  // What a profiler made of this one walks with; null before Initialize succeeded.
  clr::ICorProfilerInfo12* info() const { return info_.get(); }
  Recording* recording() const { return recording_.get(); }

 private:
  // Empty when all is well.
  std::string open(clr::IUnknown* info);

  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<JitCode> jit_;
  EarlyNames early_names_;
};

}  // namespace walkabout::agent
