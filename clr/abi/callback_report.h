// The callbacks that come, as numbers and names, and a profiler that says of each that it came.
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "clr/abi/callback.h"

namespace walkabout::clr {

enum class Callback : uint8_t {
  kInitialize,
  kShutdown,
  kAppDomainCreationStarted,
  kAppDomainCreationFinished,
  kAppDomainShutdownStarted,
  kAppDomainShutdownFinished,
  kAssemblyLoadStarted,
  kAssemblyLoadFinished,
  kAssemblyUnloadStarted,
  kAssemblyUnloadFinished,
  kModuleLoadStarted,
  kModuleLoadFinished,
  kModuleUnloadStarted,
  kModuleUnloadFinished,
  kModuleAttachedToAssembly,
  kClassLoadStarted,
  kClassLoadFinished,
  kClassUnloadStarted,
  kClassUnloadFinished,
  kFunctionUnloadStarted,
  kJITCompilationStarted,
  kJITCompilationFinished,
  kJITCachedFunctionSearchStarted,
  kJITCachedFunctionSearchFinished,
  kJITInlining,
  kThreadCreated,
  kThreadDestroyed,
  kThreadAssignedToOSThread,
  kUnmanagedToManagedTransition,
  kManagedToUnmanagedTransition,
  kRuntimeSuspendStarted,
  kRuntimeSuspendFinished,
  kRuntimeSuspendAborted,
  kRuntimeResumeStarted,
  kRuntimeResumeFinished,
  kRuntimeThreadSuspended,
  kRuntimeThreadResumed,
  kMovedReferences,
  kObjectAllocated,
  kObjectsAllocatedByClass,
  kObjectReferences,
  kRootReferences,
  kExceptionThrown,
  kExceptionSearchFunctionEnter,
  kExceptionSearchFunctionLeave,
  kExceptionSearchFilterEnter,
  kExceptionSearchFilterLeave,
  kExceptionSearchCatcherFound,
  kExceptionUnwindFunctionEnter,
  kExceptionUnwindFunctionLeave,
  kExceptionUnwindFinallyEnter,
  kExceptionUnwindFinallyLeave,
  kExceptionCatcherEnter,
  kExceptionCatcherLeave,
  kCOMClassicVTableCreated,
  kThreadNameChanged,
  kGarbageCollectionStarted,
  kSurvivingReferences,
  kGarbageCollectionFinished,
  kFinalizeableObjectQueued,
  kRootReferences2,
  kHandleCreated,
  kHandleDestroyed,
  kProfilerAttachComplete,
  kReJITCompilationStarted,
  kGetReJITParameters,
  kReJITCompilationFinished,
  kReJITError,
  kMovedReferences2,
  kSurvivingReferences2,
  kConditionalWeakTableElementReferences,
  kModuleInMemorySymbolsUpdated,
  kDynamicMethodJITCompilationStarted,
  kDynamicMethodJITCompilationFinished,
  kDynamicMethodUnloaded,
  kEventPipeEventDelivered,
  kEventPipeProviderCreated,
};
inline constexpr size_t kCallbacks = 77;

// Their names, each with a zero behind it.
inline constexpr char kCallbackNames[] =
    "Initialize\0"
    "Shutdown\0"
    "AppDomainCreationStarted\0"
    "AppDomainCreationFinished\0"
    "AppDomainShutdownStarted\0"
    "AppDomainShutdownFinished\0"
    "AssemblyLoadStarted\0"
    "AssemblyLoadFinished\0"
    "AssemblyUnloadStarted\0"
    "AssemblyUnloadFinished\0"
    "ModuleLoadStarted\0"
    "ModuleLoadFinished\0"
    "ModuleUnloadStarted\0"
    "ModuleUnloadFinished\0"
    "ModuleAttachedToAssembly\0"
    "ClassLoadStarted\0"
    "ClassLoadFinished\0"
    "ClassUnloadStarted\0"
    "ClassUnloadFinished\0"
    "FunctionUnloadStarted\0"
    "JITCompilationStarted\0"
    "JITCompilationFinished\0"
    "JITCachedFunctionSearchStarted\0"
    "JITCachedFunctionSearchFinished\0"
    "JITInlining\0"
    "ThreadCreated\0"
    "ThreadDestroyed\0"
    "ThreadAssignedToOSThread\0"
    "UnmanagedToManagedTransition\0"
    "ManagedToUnmanagedTransition\0"
    "RuntimeSuspendStarted\0"
    "RuntimeSuspendFinished\0"
    "RuntimeSuspendAborted\0"
    "RuntimeResumeStarted\0"
    "RuntimeResumeFinished\0"
    "RuntimeThreadSuspended\0"
    "RuntimeThreadResumed\0"
    "MovedReferences\0"
    "ObjectAllocated\0"
    "ObjectsAllocatedByClass\0"
    "ObjectReferences\0"
    "RootReferences\0"
    "ExceptionThrown\0"
    "ExceptionSearchFunctionEnter\0"
    "ExceptionSearchFunctionLeave\0"
    "ExceptionSearchFilterEnter\0"
    "ExceptionSearchFilterLeave\0"
    "ExceptionSearchCatcherFound\0"
    "ExceptionUnwindFunctionEnter\0"
    "ExceptionUnwindFunctionLeave\0"
    "ExceptionUnwindFinallyEnter\0"
    "ExceptionUnwindFinallyLeave\0"
    "ExceptionCatcherEnter\0"
    "ExceptionCatcherLeave\0"
    "COMClassicVTableCreated\0"
    "ThreadNameChanged\0"
    "GarbageCollectionStarted\0"
    "SurvivingReferences\0"
    "GarbageCollectionFinished\0"
    "FinalizeableObjectQueued\0"
    "RootReferences2\0"
    "HandleCreated\0"
    "HandleDestroyed\0"
    "ProfilerAttachComplete\0"
    "ReJITCompilationStarted\0"
    "GetReJITParameters\0"
    "ReJITCompilationFinished\0"
    "ReJITError\0"
    "MovedReferences2\0"
    "SurvivingReferences2\0"
    "ConditionalWeakTableElementReferences\0"
    "ModuleInMemorySymbolsUpdated\0"
    "DynamicMethodJITCompilationStarted\0"
    "DynamicMethodJITCompilationFinished\0"
    "DynamicMethodUnloaded\0"
    "EventPipeEventDelivered\0"
    "EventPipeProviderCreated\0";

// One that came, with the first 3 of its parameters: numbers, and pointers as numbers.
struct CallbackCall {
  Callback which;
  std::array<uintptr_t, 3> words{};
};

template <typename T>
uintptr_t word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uintptr_t>(value);
  else
    return static_cast<uintptr_t>(value);
}

// Base: a profiler with `void called(Callback, uintptr_t...)`, which gets such a call's parts on its thread:
// before Base's own part, but behind it where that makes the recording or the thread known.
template <typename Base>
class Reporting : public Base {
 public:
  // ICorProfilerCallback
  HRESULT Initialize(IUnknown* pICorProfilerInfoUnk) override {
    const HRESULT result = Base::Initialize(pICorProfilerInfoUnk);
    this->called(Callback::kInitialize, word(pICorProfilerInfoUnk));
    return result;
  }
  HRESULT Shutdown() override {
    this->called(Callback::kShutdown);
    return Base::Shutdown();
  }
  HRESULT AppDomainCreationStarted(AppDomainID appDomainId) override {
    this->called(Callback::kAppDomainCreationStarted, word(appDomainId));
    return Base::AppDomainCreationStarted(appDomainId);
  }
  HRESULT AppDomainCreationFinished(AppDomainID appDomainId, HRESULT hrStatus) override {
    this->called(Callback::kAppDomainCreationFinished, word(appDomainId), word(hrStatus));
    return Base::AppDomainCreationFinished(appDomainId, hrStatus);
  }
  HRESULT AppDomainShutdownStarted(AppDomainID appDomainId) override {
    this->called(Callback::kAppDomainShutdownStarted, word(appDomainId));
    return Base::AppDomainShutdownStarted(appDomainId);
  }
  HRESULT AppDomainShutdownFinished(AppDomainID appDomainId, HRESULT hrStatus) override {
    this->called(Callback::kAppDomainShutdownFinished, word(appDomainId), word(hrStatus));
    return Base::AppDomainShutdownFinished(appDomainId, hrStatus);
  }
  HRESULT AssemblyLoadStarted(AssemblyID assemblyId) override {
    this->called(Callback::kAssemblyLoadStarted, word(assemblyId));
    return Base::AssemblyLoadStarted(assemblyId);
  }
  HRESULT AssemblyLoadFinished(AssemblyID assemblyId, HRESULT hrStatus) override {
    this->called(Callback::kAssemblyLoadFinished, word(assemblyId), word(hrStatus));
    return Base::AssemblyLoadFinished(assemblyId, hrStatus);
  }
  HRESULT AssemblyUnloadStarted(AssemblyID assemblyId) override {
    this->called(Callback::kAssemblyUnloadStarted, word(assemblyId));
    return Base::AssemblyUnloadStarted(assemblyId);
  }
  HRESULT AssemblyUnloadFinished(AssemblyID assemblyId, HRESULT hrStatus) override {
    this->called(Callback::kAssemblyUnloadFinished, word(assemblyId), word(hrStatus));
    return Base::AssemblyUnloadFinished(assemblyId, hrStatus);
  }
  HRESULT ModuleLoadStarted(ModuleID moduleId) override {
    this->called(Callback::kModuleLoadStarted, word(moduleId));
    return Base::ModuleLoadStarted(moduleId);
  }
  HRESULT ModuleLoadFinished(ModuleID moduleId, HRESULT hrStatus) override {
    this->called(Callback::kModuleLoadFinished, word(moduleId), word(hrStatus));
    return Base::ModuleLoadFinished(moduleId, hrStatus);
  }
  HRESULT ModuleUnloadStarted(ModuleID moduleId) override {
    this->called(Callback::kModuleUnloadStarted, word(moduleId));
    return Base::ModuleUnloadStarted(moduleId);
  }
  HRESULT ModuleUnloadFinished(ModuleID moduleId, HRESULT hrStatus) override {
    this->called(Callback::kModuleUnloadFinished, word(moduleId), word(hrStatus));
    return Base::ModuleUnloadFinished(moduleId, hrStatus);
  }
  HRESULT ModuleAttachedToAssembly(ModuleID moduleId, AssemblyID AssemblyId) override {
    this->called(Callback::kModuleAttachedToAssembly, word(moduleId), word(AssemblyId));
    return Base::ModuleAttachedToAssembly(moduleId, AssemblyId);
  }
  HRESULT ClassLoadStarted(ClassID classId) override {
    this->called(Callback::kClassLoadStarted, word(classId));
    return Base::ClassLoadStarted(classId);
  }
  HRESULT ClassLoadFinished(ClassID classId, HRESULT hrStatus) override {
    this->called(Callback::kClassLoadFinished, word(classId), word(hrStatus));
    return Base::ClassLoadFinished(classId, hrStatus);
  }
  HRESULT ClassUnloadStarted(ClassID classId) override {
    this->called(Callback::kClassUnloadStarted, word(classId));
    return Base::ClassUnloadStarted(classId);
  }
  HRESULT ClassUnloadFinished(ClassID classId, HRESULT hrStatus) override {
    this->called(Callback::kClassUnloadFinished, word(classId), word(hrStatus));
    return Base::ClassUnloadFinished(classId, hrStatus);
  }
  HRESULT FunctionUnloadStarted(FunctionID functionId) override {
    this->called(Callback::kFunctionUnloadStarted, word(functionId));
    return Base::FunctionUnloadStarted(functionId);
  }
  HRESULT JITCompilationStarted(FunctionID functionId, BOOL fIsSafeToBlock) override {
    this->called(Callback::kJITCompilationStarted, word(functionId), word(fIsSafeToBlock));
    return Base::JITCompilationStarted(functionId, fIsSafeToBlock);
  }
  HRESULT JITCompilationFinished(FunctionID functionId, HRESULT hrStatus, BOOL fIsSafeToBlock) override {
    this->called(Callback::kJITCompilationFinished, word(functionId), word(hrStatus), word(fIsSafeToBlock));
    return Base::JITCompilationFinished(functionId, hrStatus, fIsSafeToBlock);
  }
  HRESULT JITCachedFunctionSearchStarted(FunctionID functionId, BOOL* pbUseCachedFunction) override {
    this->called(Callback::kJITCachedFunctionSearchStarted, word(functionId), word(pbUseCachedFunction));
    return Base::JITCachedFunctionSearchStarted(functionId, pbUseCachedFunction);
  }
  HRESULT JITCachedFunctionSearchFinished(FunctionID functionId, COR_PRF_JIT_CACHE result) override {
    this->called(Callback::kJITCachedFunctionSearchFinished, word(functionId), word(result));
    return Base::JITCachedFunctionSearchFinished(functionId, result);
  }
  HRESULT JITInlining(FunctionID callerId, FunctionID calleeId, BOOL* pfShouldInline) override {
    this->called(Callback::kJITInlining, word(callerId), word(calleeId), word(pfShouldInline));
    return Base::JITInlining(callerId, calleeId, pfShouldInline);
  }
  HRESULT ThreadCreated(ThreadID threadId) override {
    this->called(Callback::kThreadCreated, word(threadId));
    return Base::ThreadCreated(threadId);
  }
  HRESULT ThreadDestroyed(ThreadID threadId) override {
    this->called(Callback::kThreadDestroyed, word(threadId));
    return Base::ThreadDestroyed(threadId);
  }
  HRESULT ThreadAssignedToOSThread(ThreadID managedThreadId, uint32_t osThreadId) override {
    const HRESULT result = Base::ThreadAssignedToOSThread(managedThreadId, osThreadId);
    this->called(Callback::kThreadAssignedToOSThread, word(managedThreadId), word(osThreadId));
    return result;
  }
  HRESULT UnmanagedToManagedTransition(FunctionID functionId, COR_PRF_TRANSITION_REASON reason) override {
    this->called(Callback::kUnmanagedToManagedTransition, word(functionId), word(reason));
    return Base::UnmanagedToManagedTransition(functionId, reason);
  }
  HRESULT ManagedToUnmanagedTransition(FunctionID functionId, COR_PRF_TRANSITION_REASON reason) override {
    this->called(Callback::kManagedToUnmanagedTransition, word(functionId), word(reason));
    return Base::ManagedToUnmanagedTransition(functionId, reason);
  }
  HRESULT RuntimeSuspendStarted(COR_PRF_SUSPEND_REASON suspendReason) override {
    this->called(Callback::kRuntimeSuspendStarted, word(suspendReason));
    return Base::RuntimeSuspendStarted(suspendReason);
  }
  HRESULT RuntimeSuspendFinished() override {
    this->called(Callback::kRuntimeSuspendFinished);
    return Base::RuntimeSuspendFinished();
  }
  HRESULT RuntimeSuspendAborted() override {
    this->called(Callback::kRuntimeSuspendAborted);
    return Base::RuntimeSuspendAborted();
  }
  HRESULT RuntimeResumeStarted() override {
    this->called(Callback::kRuntimeResumeStarted);
    return Base::RuntimeResumeStarted();
  }
  HRESULT RuntimeResumeFinished() override {
    this->called(Callback::kRuntimeResumeFinished);
    return Base::RuntimeResumeFinished();
  }
  HRESULT RuntimeThreadSuspended(ThreadID threadId) override {
    this->called(Callback::kRuntimeThreadSuspended, word(threadId));
    return Base::RuntimeThreadSuspended(threadId);
  }
  HRESULT RuntimeThreadResumed(ThreadID threadId) override {
    this->called(Callback::kRuntimeThreadResumed, word(threadId));
    return Base::RuntimeThreadResumed(threadId);
  }
  HRESULT MovedReferences(uint32_t cMovedObjectIDRanges, ObjectID* oldObjectIDRangeStart,
                          ObjectID* newObjectIDRangeStart, uint32_t* cObjectIDRangeLength) override {
    this->called(Callback::kMovedReferences, word(cMovedObjectIDRanges), word(oldObjectIDRangeStart),
                 word(newObjectIDRangeStart));
    return Base::MovedReferences(cMovedObjectIDRanges, oldObjectIDRangeStart, newObjectIDRangeStart,
                                 cObjectIDRangeLength);
  }
  HRESULT ObjectAllocated(ObjectID objectId, ClassID classId) override {
    this->called(Callback::kObjectAllocated, word(objectId), word(classId));
    return Base::ObjectAllocated(objectId, classId);
  }
  HRESULT ObjectsAllocatedByClass(uint32_t cClassCount, ClassID* classIds, uint32_t* cObjects) override {
    this->called(Callback::kObjectsAllocatedByClass, word(cClassCount), word(classIds), word(cObjects));
    return Base::ObjectsAllocatedByClass(cClassCount, classIds, cObjects);
  }
  HRESULT ObjectReferences(ObjectID objectId, ClassID classId, uint32_t cObjectRefs,
                           ObjectID* objectRefIds) override {
    this->called(Callback::kObjectReferences, word(objectId), word(classId), word(cObjectRefs));
    return Base::ObjectReferences(objectId, classId, cObjectRefs, objectRefIds);
  }
  HRESULT RootReferences(uint32_t cRootRefs, ObjectID* rootRefIds) override {
    this->called(Callback::kRootReferences, word(cRootRefs), word(rootRefIds));
    return Base::RootReferences(cRootRefs, rootRefIds);
  }
  HRESULT ExceptionThrown(ObjectID thrownObjectId) override {
    this->called(Callback::kExceptionThrown, word(thrownObjectId));
    return Base::ExceptionThrown(thrownObjectId);
  }
  HRESULT ExceptionSearchFunctionEnter(FunctionID functionId) override {
    this->called(Callback::kExceptionSearchFunctionEnter, word(functionId));
    return Base::ExceptionSearchFunctionEnter(functionId);
  }
  HRESULT ExceptionSearchFunctionLeave() override {
    this->called(Callback::kExceptionSearchFunctionLeave);
    return Base::ExceptionSearchFunctionLeave();
  }
  HRESULT ExceptionSearchFilterEnter(FunctionID functionId) override {
    this->called(Callback::kExceptionSearchFilterEnter, word(functionId));
    return Base::ExceptionSearchFilterEnter(functionId);
  }
  HRESULT ExceptionSearchFilterLeave() override {
    this->called(Callback::kExceptionSearchFilterLeave);
    return Base::ExceptionSearchFilterLeave();
  }
  HRESULT ExceptionSearchCatcherFound(FunctionID functionId) override {
    this->called(Callback::kExceptionSearchCatcherFound, word(functionId));
    return Base::ExceptionSearchCatcherFound(functionId);
  }
  HRESULT ExceptionUnwindFunctionEnter(FunctionID functionId) override {
    this->called(Callback::kExceptionUnwindFunctionEnter, word(functionId));
    return Base::ExceptionUnwindFunctionEnter(functionId);
  }
  HRESULT ExceptionUnwindFunctionLeave() override {
    this->called(Callback::kExceptionUnwindFunctionLeave);
    return Base::ExceptionUnwindFunctionLeave();
  }
  HRESULT ExceptionUnwindFinallyEnter(FunctionID functionId) override {
    this->called(Callback::kExceptionUnwindFinallyEnter, word(functionId));
    return Base::ExceptionUnwindFinallyEnter(functionId);
  }
  HRESULT ExceptionUnwindFinallyLeave() override {
    this->called(Callback::kExceptionUnwindFinallyLeave);
    return Base::ExceptionUnwindFinallyLeave();
  }
  HRESULT ExceptionCatcherEnter(FunctionID functionId, ObjectID objectId) override {
    this->called(Callback::kExceptionCatcherEnter, word(functionId), word(objectId));
    return Base::ExceptionCatcherEnter(functionId, objectId);
  }
  HRESULT ExceptionCatcherLeave() override {
    this->called(Callback::kExceptionCatcherLeave);
    return Base::ExceptionCatcherLeave();
  }
  HRESULT COMClassicVTableCreated(ClassID wrappedClassId, const GUID& implementedIID, void* pVTable,
                                  uint32_t cSlots) override {
    this->called(Callback::kCOMClassicVTableCreated, word(wrappedClassId), word(&implementedIID),
                 word(pVTable));
    return Base::COMClassicVTableCreated(wrappedClassId, implementedIID, pVTable, cSlots);
  }

  // ICorProfilerCallback2
  HRESULT ThreadNameChanged(ThreadID threadId, uint32_t cchName, WCHAR* name) override {
    this->called(Callback::kThreadNameChanged, word(threadId), word(cchName), word(name));
    return Base::ThreadNameChanged(threadId, cchName, name);
  }
  HRESULT GarbageCollectionStarted(int cGenerations, BOOL* generationCollected,
                                   COR_PRF_GC_REASON reason) override {
    this->called(Callback::kGarbageCollectionStarted, word(cGenerations), word(generationCollected),
                 word(reason));
    return Base::GarbageCollectionStarted(cGenerations, generationCollected, reason);
  }
  HRESULT SurvivingReferences(uint32_t cSurvivingObjectIDRanges, ObjectID* objectIDRangeStart,
                              uint32_t* cObjectIDRangeLength) override {
    this->called(Callback::kSurvivingReferences, word(cSurvivingObjectIDRanges), word(objectIDRangeStart),
                 word(cObjectIDRangeLength));
    return Base::SurvivingReferences(cSurvivingObjectIDRanges, objectIDRangeStart, cObjectIDRangeLength);
  }
  HRESULT GarbageCollectionFinished() override {
    this->called(Callback::kGarbageCollectionFinished);
    return Base::GarbageCollectionFinished();
  }
  HRESULT FinalizeableObjectQueued(uint32_t finalizerFlags, ObjectID objectID) override {
    this->called(Callback::kFinalizeableObjectQueued, word(finalizerFlags), word(objectID));
    return Base::FinalizeableObjectQueued(finalizerFlags, objectID);
  }
  HRESULT RootReferences2(uint32_t cRootRefs, ObjectID* rootRefIds, COR_PRF_GC_ROOT_KIND* rootKinds,
                          COR_PRF_GC_ROOT_FLAGS* rootFlags, uintptr_t* rootIds) override {
    this->called(Callback::kRootReferences2, word(cRootRefs), word(rootRefIds), word(rootKinds));
    return Base::RootReferences2(cRootRefs, rootRefIds, rootKinds, rootFlags, rootIds);
  }
  HRESULT HandleCreated(GCHandleID handleId, ObjectID initialObjectId) override {
    this->called(Callback::kHandleCreated, word(handleId), word(initialObjectId));
    return Base::HandleCreated(handleId, initialObjectId);
  }
  HRESULT HandleDestroyed(GCHandleID handleId) override {
    this->called(Callback::kHandleDestroyed, word(handleId));
    return Base::HandleDestroyed(handleId);
  }

  // ICorProfilerCallback3
  HRESULT ProfilerAttachComplete() override {
    const HRESULT result = Base::ProfilerAttachComplete();
    this->called(Callback::kProfilerAttachComplete);
    return result;
  }

  // ICorProfilerCallback4
  HRESULT ReJITCompilationStarted(FunctionID functionId, ReJITID rejitId, BOOL fIsSafeToBlock) override {
    this->called(Callback::kReJITCompilationStarted, word(functionId), word(rejitId), word(fIsSafeToBlock));
    return Base::ReJITCompilationStarted(functionId, rejitId, fIsSafeToBlock);
  }
  HRESULT GetReJITParameters(ModuleID moduleId, mdMethodDef methodId,
                             ICorProfilerFunctionControl* pFunctionControl) override {
    this->called(Callback::kGetReJITParameters, word(moduleId), word(methodId), word(pFunctionControl));
    return Base::GetReJITParameters(moduleId, methodId, pFunctionControl);
  }
  HRESULT ReJITCompilationFinished(FunctionID functionId, ReJITID rejitId, HRESULT hrStatus,
                                   BOOL fIsSafeToBlock) override {
    this->called(Callback::kReJITCompilationFinished, word(functionId), word(rejitId), word(hrStatus));
    return Base::ReJITCompilationFinished(functionId, rejitId, hrStatus, fIsSafeToBlock);
  }
  HRESULT ReJITError(ModuleID moduleId, mdMethodDef methodId, FunctionID functionId,
                     HRESULT hrStatus) override {
    this->called(Callback::kReJITError, word(moduleId), word(methodId), word(functionId));
    return Base::ReJITError(moduleId, methodId, functionId, hrStatus);
  }
  HRESULT MovedReferences2(uint32_t cMovedObjectIDRanges, ObjectID* oldObjectIDRangeStart,
                           ObjectID* newObjectIDRangeStart, size_t* cObjectIDRangeLength) override {
    this->called(Callback::kMovedReferences2, word(cMovedObjectIDRanges), word(oldObjectIDRangeStart),
                 word(newObjectIDRangeStart));
    return Base::MovedReferences2(cMovedObjectIDRanges, oldObjectIDRangeStart, newObjectIDRangeStart,
                                  cObjectIDRangeLength);
  }
  HRESULT SurvivingReferences2(uint32_t cSurvivingObjectIDRanges, ObjectID* objectIDRangeStart,
                               size_t* cObjectIDRangeLength) override {
    this->called(Callback::kSurvivingReferences2, word(cSurvivingObjectIDRanges), word(objectIDRangeStart),
                 word(cObjectIDRangeLength));
    return Base::SurvivingReferences2(cSurvivingObjectIDRanges, objectIDRangeStart, cObjectIDRangeLength);
  }

  // ICorProfilerCallback5
  HRESULT ConditionalWeakTableElementReferences(uint32_t cRootRefs, ObjectID* keyRefIds,
                                                ObjectID* valueRefIds, GCHandleID* rootIds) override {
    this->called(Callback::kConditionalWeakTableElementReferences, word(cRootRefs), word(keyRefIds),
                 word(valueRefIds));
    return Base::ConditionalWeakTableElementReferences(cRootRefs, keyRefIds, valueRefIds, rootIds);
  }

  // ICorProfilerCallback7
  HRESULT ModuleInMemorySymbolsUpdated(ModuleID moduleId) override {
    this->called(Callback::kModuleInMemorySymbolsUpdated, word(moduleId));
    return Base::ModuleInMemorySymbolsUpdated(moduleId);
  }

  // ICorProfilerCallback8
  HRESULT DynamicMethodJITCompilationStarted(FunctionID functionId, BOOL fIsSafeToBlock,
                                             const uint8_t* pILHeader, uint32_t cbILHeader) override {
    this->called(Callback::kDynamicMethodJITCompilationStarted, word(functionId), word(fIsSafeToBlock),
                 word(pILHeader));
    return Base::DynamicMethodJITCompilationStarted(functionId, fIsSafeToBlock, pILHeader, cbILHeader);
  }
  HRESULT DynamicMethodJITCompilationFinished(FunctionID functionId, HRESULT hrStatus,
                                              BOOL fIsSafeToBlock) override {
    this->called(Callback::kDynamicMethodJITCompilationFinished, word(functionId), word(hrStatus),
                 word(fIsSafeToBlock));
    return Base::DynamicMethodJITCompilationFinished(functionId, hrStatus, fIsSafeToBlock);
  }

  // ICorProfilerCallback9
  HRESULT DynamicMethodUnloaded(FunctionID functionId) override {
    this->called(Callback::kDynamicMethodUnloaded, word(functionId));
    return Base::DynamicMethodUnloaded(functionId);
  }

  // ICorProfilerCallback10
  HRESULT EventPipeEventDelivered(EVENTPIPE_PROVIDER provider, uint32_t eventId, uint32_t eventVersion,
                                  uint32_t cbMetadataBlob, const uint8_t* metadataBlob, uint32_t cbEventData,
                                  const uint8_t* eventData, const GUID* pActivityId,
                                  const GUID* pRelatedActivityId, ThreadID eventThread,
                                  uint32_t numStackFrames, uintptr_t* stackFrames) override {
    this->called(Callback::kEventPipeEventDelivered, word(provider), word(eventId), word(eventVersion));
    return Base::EventPipeEventDelivered(provider, eventId, eventVersion, cbMetadataBlob, metadataBlob,
                                         cbEventData, eventData, pActivityId, pRelatedActivityId, eventThread,
                                         numStackFrames, stackFrames);
  }
  HRESULT EventPipeProviderCreated(EVENTPIPE_PROVIDER provider) override {
    this->called(Callback::kEventPipeProviderCreated, word(provider));
    return Base::EventPipeProviderCreated(provider);
  }
};

}  // namespace walkabout::clr
