// A profiler that does nothing: every callback returns S_OK, so a derived class overrides what it needs.
// Callbacks arrive concurrently on any thread. Reference counting never deletes: the object belongs to
// whoever made it and must live until the process ends (the CLR calls a profiler until then).
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include <atomic>

#include "clr/abi/callback.h"

namespace walkabout::clr {

class CallbackBase : public ICorProfilerCallback11 {
 public:
  HRESULT QueryInterface(const GUID& riid, void** object) override;
  uint32_t AddRef() override { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t Release() override { return references_.fetch_sub(1, std::memory_order_acq_rel) - 1; }

  // ICorProfilerCallback
  HRESULT Initialize(IUnknown*) override { return S_OK; }
  HRESULT Shutdown() override { return S_OK; }
  HRESULT AppDomainCreationStarted(AppDomainID) override { return S_OK; }
  HRESULT AppDomainCreationFinished(AppDomainID, HRESULT) override { return S_OK; }
  HRESULT AppDomainShutdownStarted(AppDomainID) override { return S_OK; }
  HRESULT AppDomainShutdownFinished(AppDomainID, HRESULT) override { return S_OK; }
  HRESULT AssemblyLoadStarted(AssemblyID) override { return S_OK; }
  HRESULT AssemblyLoadFinished(AssemblyID, HRESULT) override { return S_OK; }
  HRESULT AssemblyUnloadStarted(AssemblyID) override { return S_OK; }
  HRESULT AssemblyUnloadFinished(AssemblyID, HRESULT) override { return S_OK; }
  HRESULT ModuleLoadStarted(ModuleID) override { return S_OK; }
  HRESULT ModuleLoadFinished(ModuleID, HRESULT) override { return S_OK; }
  HRESULT ModuleUnloadStarted(ModuleID) override { return S_OK; }
  HRESULT ModuleUnloadFinished(ModuleID, HRESULT) override { return S_OK; }
  HRESULT ModuleAttachedToAssembly(ModuleID, AssemblyID) override { return S_OK; }
  HRESULT ClassLoadStarted(ClassID) override { return S_OK; }
  HRESULT ClassLoadFinished(ClassID, HRESULT) override { return S_OK; }
  HRESULT ClassUnloadStarted(ClassID) override { return S_OK; }
  HRESULT ClassUnloadFinished(ClassID, HRESULT) override { return S_OK; }
  HRESULT FunctionUnloadStarted(FunctionID) override { return S_OK; }
  HRESULT JITCompilationStarted(FunctionID, BOOL) override { return S_OK; }
  HRESULT JITCompilationFinished(FunctionID, HRESULT, BOOL) override { return S_OK; }
  HRESULT JITCachedFunctionSearchStarted(FunctionID, BOOL*) override { return S_OK; }
  HRESULT JITCachedFunctionSearchFinished(FunctionID, COR_PRF_JIT_CACHE) override { return S_OK; }
  HRESULT JITFunctionPitched(FunctionID) override { return S_OK; }
  HRESULT JITInlining(FunctionID, FunctionID, BOOL*) override { return S_OK; }
  HRESULT ThreadCreated(ThreadID) override { return S_OK; }
  HRESULT ThreadDestroyed(ThreadID) override { return S_OK; }
  HRESULT ThreadAssignedToOSThread(ThreadID, uint32_t) override { return S_OK; }
  HRESULT RemotingClientInvocationStarted() override { return S_OK; }
  HRESULT RemotingClientSendingMessage(GUID*, BOOL) override { return S_OK; }
  HRESULT RemotingClientReceivingReply(GUID*, BOOL) override { return S_OK; }
  HRESULT RemotingClientInvocationFinished() override { return S_OK; }
  HRESULT RemotingServerReceivingMessage(GUID*, BOOL) override { return S_OK; }
  HRESULT RemotingServerInvocationStarted() override { return S_OK; }
  HRESULT RemotingServerInvocationReturned() override { return S_OK; }
  HRESULT RemotingServerSendingReply(GUID*, BOOL) override { return S_OK; }
  HRESULT UnmanagedToManagedTransition(FunctionID, COR_PRF_TRANSITION_REASON) override { return S_OK; }
  HRESULT ManagedToUnmanagedTransition(FunctionID, COR_PRF_TRANSITION_REASON) override { return S_OK; }
  HRESULT RuntimeSuspendStarted(COR_PRF_SUSPEND_REASON) override { return S_OK; }
  HRESULT RuntimeSuspendFinished() override { return S_OK; }
  HRESULT RuntimeSuspendAborted() override { return S_OK; }
  HRESULT RuntimeResumeStarted() override { return S_OK; }
  HRESULT RuntimeResumeFinished() override { return S_OK; }
  HRESULT RuntimeThreadSuspended(ThreadID) override { return S_OK; }
  HRESULT RuntimeThreadResumed(ThreadID) override { return S_OK; }
  HRESULT MovedReferences(uint32_t, ObjectID*, ObjectID*, uint32_t*) override { return S_OK; }
  HRESULT ObjectAllocated(ObjectID, ClassID) override { return S_OK; }
  HRESULT ObjectsAllocatedByClass(uint32_t, ClassID*, uint32_t*) override { return S_OK; }
  HRESULT ObjectReferences(ObjectID, ClassID, uint32_t, ObjectID*) override { return S_OK; }
  HRESULT RootReferences(uint32_t, ObjectID*) override { return S_OK; }
  HRESULT ExceptionThrown(ObjectID) override { return S_OK; }
  HRESULT ExceptionSearchFunctionEnter(FunctionID) override { return S_OK; }
  HRESULT ExceptionSearchFunctionLeave() override { return S_OK; }
  HRESULT ExceptionSearchFilterEnter(FunctionID) override { return S_OK; }
  HRESULT ExceptionSearchFilterLeave() override { return S_OK; }
  HRESULT ExceptionSearchCatcherFound(FunctionID) override { return S_OK; }
  HRESULT ExceptionOSHandlerEnter(uintptr_t) override { return S_OK; }
  HRESULT ExceptionOSHandlerLeave(uintptr_t) override { return S_OK; }
  HRESULT ExceptionUnwindFunctionEnter(FunctionID) override { return S_OK; }
  HRESULT ExceptionUnwindFunctionLeave() override { return S_OK; }
  HRESULT ExceptionUnwindFinallyEnter(FunctionID) override { return S_OK; }
  HRESULT ExceptionUnwindFinallyLeave() override { return S_OK; }
  HRESULT ExceptionCatcherEnter(FunctionID, ObjectID) override { return S_OK; }
  HRESULT ExceptionCatcherLeave() override { return S_OK; }
  HRESULT COMClassicVTableCreated(ClassID, const GUID&, void*, uint32_t) override { return S_OK; }
  HRESULT COMClassicVTableDestroyed(ClassID, const GUID&, void*) override { return S_OK; }
  HRESULT ExceptionCLRCatcherFound() override { return S_OK; }
  HRESULT ExceptionCLRCatcherExecute() override { return S_OK; }

  // ICorProfilerCallback2
  HRESULT ThreadNameChanged(ThreadID, uint32_t, WCHAR*) override { return S_OK; }
  HRESULT GarbageCollectionStarted(int, BOOL*, COR_PRF_GC_REASON) override { return S_OK; }
  HRESULT SurvivingReferences(uint32_t, ObjectID*, uint32_t*) override { return S_OK; }
  HRESULT GarbageCollectionFinished() override { return S_OK; }
  HRESULT FinalizeableObjectQueued(uint32_t, ObjectID) override { return S_OK; }
  HRESULT RootReferences2(uint32_t, ObjectID*, COR_PRF_GC_ROOT_KIND*, COR_PRF_GC_ROOT_FLAGS*,
                          uintptr_t*) override {
    return S_OK;
  }
  HRESULT HandleCreated(GCHandleID, ObjectID) override { return S_OK; }
  HRESULT HandleDestroyed(GCHandleID) override { return S_OK; }

  // ICorProfilerCallback3
  HRESULT InitializeForAttach(IUnknown*, void*, uint32_t) override { return S_OK; }
  HRESULT ProfilerAttachComplete() override { return S_OK; }
  HRESULT ProfilerDetachSucceeded() override { return S_OK; }

  // ICorProfilerCallback4
  HRESULT ReJITCompilationStarted(FunctionID, ReJITID, BOOL) override { return S_OK; }
  HRESULT GetReJITParameters(ModuleID, mdMethodDef, ICorProfilerFunctionControl*) override { return S_OK; }
  HRESULT ReJITCompilationFinished(FunctionID, ReJITID, HRESULT, BOOL) override { return S_OK; }
  HRESULT ReJITError(ModuleID, mdMethodDef, FunctionID, HRESULT) override { return S_OK; }
  HRESULT MovedReferences2(uint32_t, ObjectID*, ObjectID*, size_t*) override { return S_OK; }
  HRESULT SurvivingReferences2(uint32_t, ObjectID*, size_t*) override { return S_OK; }

  // ICorProfilerCallback5
  HRESULT ConditionalWeakTableElementReferences(uint32_t, ObjectID*, ObjectID*, GCHandleID*) override {
    return S_OK;
  }

  // ICorProfilerCallback6
  HRESULT GetAssemblyReferences(const WCHAR*, ICorProfilerAssemblyReferenceProvider*) override {
    return S_OK;
  }

  // ICorProfilerCallback7
  HRESULT ModuleInMemorySymbolsUpdated(ModuleID) override { return S_OK; }

  // ICorProfilerCallback8
  HRESULT DynamicMethodJITCompilationStarted(FunctionID, BOOL, const uint8_t*, uint32_t) override {
    return S_OK;
  }
  HRESULT DynamicMethodJITCompilationFinished(FunctionID, HRESULT, BOOL) override { return S_OK; }

  // ICorProfilerCallback9
  HRESULT DynamicMethodUnloaded(FunctionID) override { return S_OK; }

  // ICorProfilerCallback10
  HRESULT EventPipeEventDelivered(EVENTPIPE_PROVIDER, uint32_t, uint32_t, uint32_t, const uint8_t*, uint32_t,
                                  const uint8_t*, const GUID*, const GUID*, ThreadID, uint32_t,
                                  uintptr_t*) override {
    return S_OK;
  }
  HRESULT EventPipeProviderCreated(EVENTPIPE_PROVIDER) override { return S_OK; }

  // ICorProfilerCallback11
  HRESULT LoadAsNotificationOnly(BOOL*) override { return S_OK; }

 protected:
  ~CallbackBase() = default;

 private:
  std::atomic<uint32_t> references_ = 1;
};

inline HRESULT CallbackBase::QueryInterface(const GUID& riid, void** object) {
  if (object == nullptr) return E_POINTER;
  static constexpr GUID kKnown[] = {
      IUnknown::kIid,
      ICorProfilerCallback::kIid,
      ICorProfilerCallback2::kIid,
      ICorProfilerCallback3::kIid,
      ICorProfilerCallback4::kIid,
      ICorProfilerCallback5::kIid,
      ICorProfilerCallback6::kIid,
      ICorProfilerCallback7::kIid,
      ICorProfilerCallback8::kIid,
      ICorProfilerCallback9::kIid,
      ICorProfilerCallback10::kIid,
      ICorProfilerCallback11::kIid,
  };
  for (const GUID& known : kKnown) {
    if (riid == known) {
      *object = static_cast<ICorProfilerCallback11*>(this);
      AddRef();
      return S_OK;
    }
  }
  *object = nullptr;
  return E_NOINTERFACE;
}

}  // namespace walkabout::clr
