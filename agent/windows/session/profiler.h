// The CLR's side of the agent on Windows: what it calls, translated into calls of the parts.
// Callbacks arrive concurrently on the program's threads, any of which the sampler may stop at any time: they
// hold no lock that the sampler takes while a thread is stopped, and none of ours across a call into the CLR.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "agent/core/early_names.h"
#include "agent/sources/chosen_sources.h"
#include "agent/sources/event_sessions.h"
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
  clr::HRESULT RuntimeResumeFinished() override;
  clr::HRESULT JITCompilationStarted(clr::FunctionID function, clr::BOOL safe) override;
  clr::HRESULT DynamicMethodJITCompilationStarted(clr::FunctionID function, clr::BOOL safe, const uint8_t* il,
                                                  uint32_t il_size) override;
  clr::HRESULT JITCompilationFinished(clr::FunctionID function, clr::HRESULT status, clr::BOOL safe) override;
  clr::HRESULT DynamicMethodJITCompilationFinished(clr::FunctionID function, clr::HRESULT status,
                                                   clr::BOOL safe) override;
  clr::HRESULT DynamicMethodUnloaded(clr::FunctionID function) override;
  clr::HRESULT ExceptionSearchFilterEnter(clr::FunctionID function) override;
  clr::HRESULT ExceptionSearchFilterLeave() override;
  clr::HRESULT ExceptionUnwindFunctionEnter(clr::FunctionID function) override;
  clr::HRESULT ExceptionUnwindFunctionLeave() override;
  clr::HRESULT ExceptionCatcherEnter(clr::FunctionID function, clr::ObjectID thrown) override;
  clr::HRESULT EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id,
                                       uint32_t event_version, uint32_t metadata_size,
                                       const uint8_t* metadata, uint32_t data_size, const uint8_t* data,
                                       const clr::GUID* activity, const clr::GUID* related,
                                       clr::ThreadID thread, uint32_t frames, uintptr_t* stack) override;

 protected:
  // For clr::Reporting: in a callback, on its thread.
  void called(clr::Callback which, uintptr_t first = 0, uintptr_t second = 0, uintptr_t third = 0);
  // What a profiler made of this one walks with; null before Initialize succeeded.
  clr::ICorProfilerInfo12* info() const { return info_.get(); }
  Recording* recording() const { return recording_.get(); }

 private:
  // Empty when all is well.
  std::string open(clr::IUnknown* info);
  // Null: not asked for.
  Hooks* hooks() const { return recording_ == nullptr ? nullptr : recording_->hooks; }
  void compile_begins(clr::FunctionID function, uint32_t il_size);
  void compiled(clr::FunctionID function, clr::HRESULT status, bool dynamic);

  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<JitCode> jit_;
  EarlyNames early_names_;
  EventSessions events_;
  std::atomic<bool> reports_callbacks_{false};  // a source takes them
  std::atomic<bool> reports_compiles_{false};
};

}  // namespace walkabout::agent
