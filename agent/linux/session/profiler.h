// The CLR's side of the agent: what it calls, translated into calls of the parts. Decides nothing but order.
// Callbacks arrive concurrently on the program's threads, some with little stack, some inside a GC or under
// the loader's lock: they do not block, but for a question of an attach (catch_up_gate.h), and hold no lock
// of ours across a call into the CLR.
//
// Started with the program it records until Shutdown. Attached (profiler_attach.cc) it catches up with what
// is there already, and leaves when the collector wants no more: everything stops, then the CLR is asked to
// let go (RequestProfilerDetach); when it has (ProfilerDetachSucceeded) the recording is freed. The code
// itself stays in the process (the library is linked with -z nodelete): a tick may come late. Attached again
// it begins anew.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "agent/core/early_names.h"
#include "agent/linux/session/catch_up_gate.h"
#include "agent/linux/session/ended_threads.h"
#include "agent/shared/options.h"
#include "agent/sources/chosen_sources.h"
#include "agent/sources/event_sessions.h"
#include "base/mutex.h"
#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

struct AsyncStacks;
class Hooks;
struct Recording;  // recording.h: everything that exists while samples are taken

class Profiler : public clr::CallbackBase {
 public:
  Profiler();
  ~Profiler();

  clr::HRESULT LoadAsNotificationOnly(clr::BOOL* only) override;
  clr::HRESULT Initialize(clr::IUnknown* info) override;
  clr::HRESULT InitializeForAttach(clr::IUnknown* info, void* data, uint32_t size) override;
  clr::HRESULT ProfilerAttachComplete() override;
  clr::HRESULT ProfilerDetachSucceeded() override;
  clr::HRESULT Shutdown() override;
  clr::HRESULT ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) override;
  clr::HRESULT ModuleUnloadStarted(clr::ModuleID module) override;
  clr::HRESULT ClassLoadFinished(clr::ClassID type, clr::HRESULT status) override;
  clr::HRESULT ClassUnloadStarted(clr::ClassID type) override;
  clr::HRESULT DynamicMethodUnloaded(clr::FunctionID function) override;
  clr::HRESULT ThreadAssignedToOSThread(clr::ThreadID thread, uint32_t os_thread) override;
  clr::HRESULT ThreadDestroyed(clr::ThreadID thread) override;
  clr::HRESULT ThreadNameChanged(clr::ThreadID thread, uint32_t length, clr::WCHAR* name) override;
  clr::HRESULT RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_REASON reason) override;
  clr::HRESULT RuntimeSuspendFinished() override;
  clr::HRESULT RuntimeSuspendAborted() override;
  clr::HRESULT RuntimeResumeStarted() override;
  clr::HRESULT RuntimeResumeFinished() override;
  clr::HRESULT GarbageCollectionStarted(int generations, clr::BOOL* collected,
                                        clr::COR_PRF_GC_REASON reason) override;
  clr::HRESULT GarbageCollectionFinished() override;
  clr::HRESULT RuntimeThreadSuspended(clr::ThreadID thread) override;
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
  // Null until Initialize has succeeded.
  Recording* recording() const { return recording_.get(); }
  clr::ICorProfilerInfo12* info() const { return info_.get(); }

 private:
  // Makes recording_, ready to begin. Returns why it cannot be; empty when all is well.
  std::string open(clr::IUnknown* info, const base::Result<Options>& options, bool attached);
  AsyncStacks* async_stacks() const;  // null: not asked for
  bool is_recording() const;
  Hooks* hooks() const;
  void on_suspension(Source::Suspension what,
                     clr::COR_PRF_SUSPEND_REASON reason = clr::COR_PRF_SUSPEND_OTHER);
  std::string start_events();
  // Updates the code map where an event says that a method was compiled, or is freed. Of any provider.
  void note_code(const RuntimeEvent& event, bool of_runtime);
  // What was inlined into the method that this thread compiled last.
  void note_inlined(const RuntimeEvent& event);
  void catch_up();
  void catch_up_with_modules();
  // Frees the recording, ended before if need be; where something may still be at work in it, it stays.
  void drop_recording();
  // As if nobody had asked us: REQUIRED before a refusal is returned, behind which the runtime frees what
  // info_ points to, whoever holds references to it.
  void reset();
  struct ManagedThread {
    pid_t tid;
    clr::ThreadID id;
  };
  std::vector<ManagedThread> managed_threads();
  // Once for each attach.
  void leave();
  void leave_when_let_go();

  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  std::unique_ptr<Recording> recording_;
  EarlyNames early_names_;
  EndedThreads ended_threads_;
  RuntimeNeeds needs_;
  std::atomic<bool> reports_callbacks_{false};  // a source takes them
  EventSessions events_;
  std::atomic<bool> leaving_{false};  // leave() has begun
  // Written before the runtime takes attach requests, and when an agent that was let go has left.
  std::atomic<bool> started_with_program_{false};
  std::atomic<pid_t> leaving_tid_{0};

  CatchUpGate catch_up_gate_;
  base::Mutex attaching_;  // InitializeForAttach and ProfilerAttachComplete against ProfilerDetachSucceeded
};

}  // namespace walkabout::agent
