// What the CLR calls in a profiler. Concurrently, on any thread, sometimes on small stacks: do not block.
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include "clr/abi/class_factory.h"
#include "clr/abi/enums.h"
#include "clr/abi/structs.h"

namespace walkabout::clr {

class ICorProfilerAssemblyReferenceProvider;
class ICorProfilerFunctionControl;

class ICorProfilerCallback : public IUnknown {
 public:
  static constexpr GUID kIid = guid("176FBED1-A55C-4796-98CA-A9DA0EF883E7");

  virtual HRESULT Initialize(IUnknown* pICorProfilerInfoUnk) = 0;
  virtual HRESULT Shutdown() = 0;
  virtual HRESULT AppDomainCreationStarted(AppDomainID appDomainId) = 0;
  virtual HRESULT AppDomainCreationFinished(AppDomainID appDomainId, HRESULT hrStatus) = 0;
  virtual HRESULT AppDomainShutdownStarted(AppDomainID appDomainId) = 0;
  virtual HRESULT AppDomainShutdownFinished(AppDomainID appDomainId, HRESULT hrStatus) = 0;
  virtual HRESULT AssemblyLoadStarted(AssemblyID assemblyId) = 0;
  virtual HRESULT AssemblyLoadFinished(AssemblyID assemblyId, HRESULT hrStatus) = 0;
  virtual HRESULT AssemblyUnloadStarted(AssemblyID assemblyId) = 0;
  virtual HRESULT AssemblyUnloadFinished(AssemblyID assemblyId, HRESULT hrStatus) = 0;
  virtual HRESULT ModuleLoadStarted(ModuleID moduleId) = 0;
  virtual HRESULT ModuleLoadFinished(ModuleID moduleId, HRESULT hrStatus) = 0;
  virtual HRESULT ModuleUnloadStarted(ModuleID moduleId) = 0;
  virtual HRESULT ModuleUnloadFinished(ModuleID moduleId, HRESULT hrStatus) = 0;
  virtual HRESULT ModuleAttachedToAssembly(ModuleID moduleId, AssemblyID AssemblyId) = 0;
  virtual HRESULT ClassLoadStarted(ClassID classId) = 0;
  virtual HRESULT ClassLoadFinished(ClassID classId, HRESULT hrStatus) = 0;
  virtual HRESULT ClassUnloadStarted(ClassID classId) = 0;
  virtual HRESULT ClassUnloadFinished(ClassID classId, HRESULT hrStatus) = 0;
  virtual HRESULT FunctionUnloadStarted(FunctionID functionId) = 0;
  virtual HRESULT JITCompilationStarted(FunctionID functionId, BOOL fIsSafeToBlock) = 0;
  virtual HRESULT JITCompilationFinished(FunctionID functionId, HRESULT hrStatus, BOOL fIsSafeToBlock) = 0;
  virtual HRESULT JITCachedFunctionSearchStarted(FunctionID functionId, BOOL* pbUseCachedFunction) = 0;
  virtual HRESULT JITCachedFunctionSearchFinished(FunctionID functionId, COR_PRF_JIT_CACHE result) = 0;
  virtual HRESULT JITFunctionPitched(FunctionID functionId) = 0;
  virtual HRESULT JITInlining(FunctionID callerId, FunctionID calleeId, BOOL* pfShouldInline) = 0;
  virtual HRESULT ThreadCreated(ThreadID threadId) = 0;
  virtual HRESULT ThreadDestroyed(ThreadID threadId) = 0;
  virtual HRESULT ThreadAssignedToOSThread(ThreadID managedThreadId, uint32_t osThreadId) = 0;
  virtual HRESULT RemotingClientInvocationStarted() = 0;
  virtual HRESULT RemotingClientSendingMessage(GUID* pCookie, BOOL fIsAsync) = 0;
  virtual HRESULT RemotingClientReceivingReply(GUID* pCookie, BOOL fIsAsync) = 0;
  virtual HRESULT RemotingClientInvocationFinished() = 0;
  virtual HRESULT RemotingServerReceivingMessage(GUID* pCookie, BOOL fIsAsync) = 0;
  virtual HRESULT RemotingServerInvocationStarted() = 0;
  virtual HRESULT RemotingServerInvocationReturned() = 0;
  virtual HRESULT RemotingServerSendingReply(GUID* pCookie, BOOL fIsAsync) = 0;
  virtual HRESULT UnmanagedToManagedTransition(FunctionID functionId, COR_PRF_TRANSITION_REASON reason) = 0;
  virtual HRESULT ManagedToUnmanagedTransition(FunctionID functionId, COR_PRF_TRANSITION_REASON reason) = 0;
  virtual HRESULT RuntimeSuspendStarted(COR_PRF_SUSPEND_REASON suspendReason) = 0;
  virtual HRESULT RuntimeSuspendFinished() = 0;
  virtual HRESULT RuntimeSuspendAborted() = 0;
  virtual HRESULT RuntimeResumeStarted() = 0;
  virtual HRESULT RuntimeResumeFinished() = 0;
  virtual HRESULT RuntimeThreadSuspended(ThreadID threadId) = 0;
  virtual HRESULT RuntimeThreadResumed(ThreadID threadId) = 0;
  virtual HRESULT MovedReferences(uint32_t cMovedObjectIDRanges, ObjectID* oldObjectIDRangeStart,
                                  ObjectID* newObjectIDRangeStart, uint32_t* cObjectIDRangeLength) = 0;
  virtual HRESULT ObjectAllocated(ObjectID objectId, ClassID classId) = 0;
  virtual HRESULT ObjectsAllocatedByClass(uint32_t cClassCount, ClassID* classIds, uint32_t* cObjects) = 0;
  virtual HRESULT ObjectReferences(ObjectID objectId, ClassID classId, uint32_t cObjectRefs,
                                   ObjectID* objectRefIds) = 0;
  virtual HRESULT RootReferences(uint32_t cRootRefs, ObjectID* rootRefIds) = 0;
  virtual HRESULT ExceptionThrown(ObjectID thrownObjectId) = 0;
  virtual HRESULT ExceptionSearchFunctionEnter(FunctionID functionId) = 0;
  virtual HRESULT ExceptionSearchFunctionLeave() = 0;
  virtual HRESULT ExceptionSearchFilterEnter(FunctionID functionId) = 0;
  virtual HRESULT ExceptionSearchFilterLeave() = 0;
  virtual HRESULT ExceptionSearchCatcherFound(FunctionID functionId) = 0;
  virtual HRESULT ExceptionOSHandlerEnter(uintptr_t unused) = 0;
  virtual HRESULT ExceptionOSHandlerLeave(uintptr_t unused) = 0;
  virtual HRESULT ExceptionUnwindFunctionEnter(FunctionID functionId) = 0;
  virtual HRESULT ExceptionUnwindFunctionLeave() = 0;
  virtual HRESULT ExceptionUnwindFinallyEnter(FunctionID functionId) = 0;
  virtual HRESULT ExceptionUnwindFinallyLeave() = 0;
  virtual HRESULT ExceptionCatcherEnter(FunctionID functionId, ObjectID objectId) = 0;
  virtual HRESULT ExceptionCatcherLeave() = 0;
  virtual HRESULT COMClassicVTableCreated(ClassID wrappedClassId, const GUID& implementedIID, void* pVTable,
                                          uint32_t cSlots) = 0;
  virtual HRESULT COMClassicVTableDestroyed(ClassID wrappedClassId, const GUID& implementedIID,
                                            void* pVTable) = 0;
  virtual HRESULT ExceptionCLRCatcherFound() = 0;
  virtual HRESULT ExceptionCLRCatcherExecute() = 0;

 protected:
  ~ICorProfilerCallback() = default;
};

class ICorProfilerCallback2 : public ICorProfilerCallback {
 public:
  static constexpr GUID kIid = guid("8A8CC829-CCF2-49fe-BBAE-0F022228071A");

  virtual HRESULT ThreadNameChanged(ThreadID threadId, uint32_t cchName, WCHAR* name) = 0;
  virtual HRESULT GarbageCollectionStarted(int cGenerations, BOOL* generationCollected,
                                           COR_PRF_GC_REASON reason) = 0;
  virtual HRESULT SurvivingReferences(uint32_t cSurvivingObjectIDRanges, ObjectID* objectIDRangeStart,
                                      uint32_t* cObjectIDRangeLength) = 0;
  virtual HRESULT GarbageCollectionFinished() = 0;
  virtual HRESULT FinalizeableObjectQueued(uint32_t finalizerFlags, ObjectID objectID) = 0;
  virtual HRESULT RootReferences2(uint32_t cRootRefs, ObjectID* rootRefIds, COR_PRF_GC_ROOT_KIND* rootKinds,
                                  COR_PRF_GC_ROOT_FLAGS* rootFlags, uintptr_t* rootIds) = 0;
  virtual HRESULT HandleCreated(GCHandleID handleId, ObjectID initialObjectId) = 0;
  virtual HRESULT HandleDestroyed(GCHandleID handleId) = 0;

 protected:
  ~ICorProfilerCallback2() = default;
};

class ICorProfilerCallback3 : public ICorProfilerCallback2 {
 public:
  static constexpr GUID kIid = guid("4FD2ED52-7731-4b8d-9469-03D2CC3086C5");

  virtual HRESULT InitializeForAttach(IUnknown* pCorProfilerInfoUnk, void* pvClientData,
                                      uint32_t cbClientData) = 0;
  virtual HRESULT ProfilerAttachComplete() = 0;
  virtual HRESULT ProfilerDetachSucceeded() = 0;

 protected:
  ~ICorProfilerCallback3() = default;
};

class ICorProfilerCallback4 : public ICorProfilerCallback3 {
 public:
  static constexpr GUID kIid = guid("7B63B2E3-107D-4d48-B2F6-F61E229470D2");

  virtual HRESULT ReJITCompilationStarted(FunctionID functionId, ReJITID rejitId, BOOL fIsSafeToBlock) = 0;
  virtual HRESULT GetReJITParameters(ModuleID moduleId, mdMethodDef methodId,
                                     ICorProfilerFunctionControl* pFunctionControl) = 0;
  virtual HRESULT ReJITCompilationFinished(FunctionID functionId, ReJITID rejitId, HRESULT hrStatus,
                                           BOOL fIsSafeToBlock) = 0;
  virtual HRESULT ReJITError(ModuleID moduleId, mdMethodDef methodId, FunctionID functionId,
                             HRESULT hrStatus) = 0;
  virtual HRESULT MovedReferences2(uint32_t cMovedObjectIDRanges, ObjectID* oldObjectIDRangeStart,
                                   ObjectID* newObjectIDRangeStart, size_t* cObjectIDRangeLength) = 0;
  virtual HRESULT SurvivingReferences2(uint32_t cSurvivingObjectIDRanges, ObjectID* objectIDRangeStart,
                                       size_t* cObjectIDRangeLength) = 0;

 protected:
  ~ICorProfilerCallback4() = default;
};

class ICorProfilerCallback5 : public ICorProfilerCallback4 {
 public:
  static constexpr GUID kIid = guid("8DFBA405-8C9F-45F8-BFFA-83B14CEF78B5");

  virtual HRESULT ConditionalWeakTableElementReferences(uint32_t cRootRefs, ObjectID* keyRefIds,
                                                        ObjectID* valueRefIds, GCHandleID* rootIds) = 0;

 protected:
  ~ICorProfilerCallback5() = default;
};

class ICorProfilerCallback6 : public ICorProfilerCallback5 {
 public:
  static constexpr GUID kIid = guid("FC13DF4B-4448-4F4F-950C-BA8D19D00C36");

  virtual HRESULT GetAssemblyReferences(const WCHAR* wszAssemblyPath,
                                        ICorProfilerAssemblyReferenceProvider* pAsmRefProvider) = 0;

 protected:
  ~ICorProfilerCallback6() = default;
};

class ICorProfilerCallback7 : public ICorProfilerCallback6 {
 public:
  static constexpr GUID kIid = guid("F76A2DBA-1D52-4539-866C-2AA518F9EFC3");

  virtual HRESULT ModuleInMemorySymbolsUpdated(ModuleID moduleId) = 0;

 protected:
  ~ICorProfilerCallback7() = default;
};

class ICorProfilerCallback8 : public ICorProfilerCallback7 {
 public:
  static constexpr GUID kIid = guid("5BED9B15-C079-4D47-BFE2-215A140C07E0");

  virtual HRESULT DynamicMethodJITCompilationStarted(FunctionID functionId, BOOL fIsSafeToBlock,
                                                     const uint8_t* pILHeader, uint32_t cbILHeader) = 0;
  virtual HRESULT DynamicMethodJITCompilationFinished(FunctionID functionId, HRESULT hrStatus,
                                                      BOOL fIsSafeToBlock) = 0;

 protected:
  ~ICorProfilerCallback8() = default;
};

class ICorProfilerCallback9 : public ICorProfilerCallback8 {
 public:
  static constexpr GUID kIid = guid("27583EC3-C8F5-482F-8052-194B8CE4705A");

  virtual HRESULT DynamicMethodUnloaded(FunctionID functionId) = 0;

 protected:
  ~ICorProfilerCallback9() = default;
};

class ICorProfilerCallback10 : public ICorProfilerCallback9 {
 public:
  static constexpr GUID kIid = guid("CEC5B60E-C69C-495F-87F6-84D28EE16FFB");

  virtual HRESULT EventPipeEventDelivered(EVENTPIPE_PROVIDER provider, uint32_t eventId,
                                          uint32_t eventVersion, uint32_t cbMetadataBlob,
                                          const uint8_t* metadataBlob, uint32_t cbEventData,
                                          const uint8_t* eventData, const GUID* pActivityId,
                                          const GUID* pRelatedActivityId, ThreadID eventThread,
                                          uint32_t numStackFrames, uintptr_t* stackFrames) = 0;
  virtual HRESULT EventPipeProviderCreated(EVENTPIPE_PROVIDER provider) = 0;

 protected:
  ~ICorProfilerCallback10() = default;
};

class ICorProfilerCallback11 : public ICorProfilerCallback10 {
 public:
  static constexpr GUID kIid = guid("42350846-AAED-47F7-B128-FD0C98881CDE");

  virtual HRESULT LoadAsNotificationOnly(BOOL* pbNotificationOnly) = 0;

 protected:
  ~ICorProfilerCallback11() = default;
};

}  // namespace walkabout::clr
