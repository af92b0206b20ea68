// For tests: an ICorProfilerInfo that knows nothing.
// Made by clr/generate.py from clr/abi.json; change those and run it.
#pragma once

#include "clr/info.h"

namespace walkabout::clr {

class NullICorProfilerInfo15 : public ICorProfilerInfo15 {
 public:
  HRESULT QueryInterface(const GUID& riid, void** object) override;
  uint32_t AddRef() override { return ++references; }
  uint32_t Release() override { return --references; }

  // ICorProfilerInfo
  HRESULT GetClassFromObject(ObjectID, ClassID*) override { return E_NOTIMPL; }
  HRESULT GetClassFromToken(ModuleID, mdTypeDef, ClassID*) override { return E_NOTIMPL; }
  HRESULT GetCodeInfo(FunctionID, const uint8_t**, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetEventMask(uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetFunctionFromIP(const uint8_t*, FunctionID*) override { return E_NOTIMPL; }
  HRESULT GetFunctionFromToken(ModuleID, mdToken, FunctionID*) override { return E_NOTIMPL; }
  HRESULT GetHandleFromThread(ThreadID, HANDLE*) override { return E_NOTIMPL; }
  HRESULT GetObjectSize(ObjectID, uint32_t*) override { return E_NOTIMPL; }
  HRESULT IsArrayClass(ClassID, CorElementType*, ClassID*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetThreadInfo(ThreadID, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetCurrentThreadID(ThreadID*) override { return E_NOTIMPL; }
  HRESULT GetClassIDInfo(ClassID, ModuleID*, mdTypeDef*) override { return E_NOTIMPL; }
  HRESULT GetFunctionInfo(FunctionID, ClassID*, ModuleID*, mdToken*) override { return E_NOTIMPL; }
  HRESULT SetEventMask(uint32_t) override { return E_NOTIMPL; }
  HRESULT SetEnterLeaveFunctionHooks(FunctionEnter*, FunctionLeave*, FunctionTailcall*) override {
    return E_NOTIMPL;
  }
  HRESULT SetFunctionIDMapper(FunctionIDMapper*) override { return E_NOTIMPL; }
  HRESULT GetTokenAndMetaDataFromFunction(FunctionID, const GUID&, IUnknown**, mdToken*) override {
    return E_NOTIMPL;
  }
  HRESULT GetModuleInfo(ModuleID, const uint8_t**, uint32_t, uint32_t*, WCHAR*, AssemblyID*) override {
    return E_NOTIMPL;
  }
  HRESULT GetModuleMetaData(ModuleID, uint32_t, const GUID&, IUnknown**) override { return E_NOTIMPL; }
  HRESULT GetILFunctionBody(ModuleID, mdMethodDef, const uint8_t**, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetILFunctionBodyAllocator(ModuleID, IMethodMalloc**) override { return E_NOTIMPL; }
  HRESULT SetILFunctionBody(ModuleID, mdMethodDef, const uint8_t*) override { return E_NOTIMPL; }
  HRESULT GetAppDomainInfo(AppDomainID, uint32_t, uint32_t*, WCHAR*, ProcessID*) override {
    return E_NOTIMPL;
  }
  HRESULT GetAssemblyInfo(AssemblyID, uint32_t, uint32_t*, WCHAR*, AppDomainID*, ModuleID*) override {
    return E_NOTIMPL;
  }
  HRESULT SetFunctionReJIT(FunctionID) override { return E_NOTIMPL; }
  HRESULT ForceGC() override { return E_NOTIMPL; }
  HRESULT SetILInstrumentedCodeMap(FunctionID, BOOL, uint32_t, COR_IL_MAP*) override { return E_NOTIMPL; }
  HRESULT GetInprocInspectionInterface(IUnknown**) override { return E_NOTIMPL; }
  HRESULT GetInprocInspectionIThisThread(IUnknown**) override { return E_NOTIMPL; }
  HRESULT GetThreadContext(ThreadID, ContextID*) override { return E_NOTIMPL; }
  HRESULT BeginInprocDebugging(BOOL, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EndInprocDebugging(uint32_t) override { return E_NOTIMPL; }
  HRESULT GetILToNativeMapping(FunctionID, uint32_t, uint32_t*, COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return E_NOTIMPL;
  }

  // ICorProfilerInfo2
  HRESULT DoStackSnapshot(ThreadID, StackSnapshotCallback*, uint32_t, void*, uint8_t*, uint32_t) override {
    return E_NOTIMPL;
  }
  HRESULT SetEnterLeaveFunctionHooks2(FunctionEnter2*, FunctionLeave2*, FunctionTailcall2*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFunctionInfo2(FunctionID, COR_PRF_FRAME_INFO, ClassID*, ModuleID*, mdToken*, uint32_t, uint32_t*,
                           ClassID*) override {
    return E_NOTIMPL;
  }
  HRESULT GetStringLayout(uint32_t*, uint32_t*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetClassLayout(ClassID, COR_FIELD_OFFSET*, uint32_t, uint32_t*, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetClassIDInfo2(ClassID, ModuleID*, mdTypeDef*, ClassID*, uint32_t, uint32_t*, ClassID*) override {
    return E_NOTIMPL;
  }
  HRESULT GetCodeInfo2(FunctionID, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override { return E_NOTIMPL; }
  HRESULT GetClassFromTokenAndTypeArgs(ModuleID, mdTypeDef, uint32_t, ClassID*, ClassID*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFunctionFromTokenAndTypeArgs(ModuleID, mdMethodDef, ClassID, uint32_t, ClassID*,
                                          FunctionID*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumModuleFrozenObjects(ModuleID, ICorProfilerObjectEnum**) override { return E_NOTIMPL; }
  HRESULT GetArrayObjectInfo(ObjectID, uint32_t, uint32_t*, int*, uint8_t**) override { return E_NOTIMPL; }
  HRESULT GetBoxClassLayout(ClassID, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetThreadAppDomain(ThreadID, AppDomainID*) override { return E_NOTIMPL; }
  HRESULT GetRVAStaticAddress(ClassID, mdFieldDef, void**) override { return E_NOTIMPL; }
  HRESULT GetAppDomainStaticAddress(ClassID, mdFieldDef, AppDomainID, void**) override { return E_NOTIMPL; }
  HRESULT GetThreadStaticAddress(ClassID, mdFieldDef, ThreadID, void**) override { return E_NOTIMPL; }
  HRESULT GetContextStaticAddress(ClassID, mdFieldDef, ContextID, void**) override { return E_NOTIMPL; }
  HRESULT GetStaticFieldInfo(ClassID, mdFieldDef, COR_PRF_STATIC_TYPE*) override { return E_NOTIMPL; }
  HRESULT GetGenerationBounds(uint32_t, uint32_t*, COR_PRF_GC_GENERATION_RANGE*) override {
    return E_NOTIMPL;
  }
  HRESULT GetObjectGeneration(ObjectID, COR_PRF_GC_GENERATION_RANGE*) override { return E_NOTIMPL; }
  HRESULT GetNotifiedExceptionClauseInfo(COR_PRF_EX_CLAUSE_INFO*) override { return E_NOTIMPL; }

  // ICorProfilerInfo3
  HRESULT EnumJITedFunctions(ICorProfilerFunctionEnum**) override { return E_NOTIMPL; }
  HRESULT RequestProfilerDetach(uint32_t) override { return E_NOTIMPL; }
  HRESULT SetFunctionIDMapper2(FunctionIDMapper2*, void*) override { return E_NOTIMPL; }
  HRESULT GetStringLayout2(uint32_t*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT SetEnterLeaveFunctionHooks3(FunctionEnter3*, FunctionLeave3*, FunctionTailcall3*) override {
    return E_NOTIMPL;
  }
  HRESULT SetEnterLeaveFunctionHooks3WithInfo(FunctionEnter3WithInfo*, FunctionLeave3WithInfo*,
                                              FunctionTailcall3WithInfo*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFunctionEnter3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*, uint32_t*,
                                COR_PRF_FUNCTION_ARGUMENT_INFO*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFunctionLeave3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*,
                                COR_PRF_FUNCTION_ARGUMENT_RANGE*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFunctionTailcall3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumModules(ICorProfilerModuleEnum**) override { return E_NOTIMPL; }
  HRESULT GetRuntimeInformation(uint16_t*, COR_PRF_RUNTIME_TYPE*, uint16_t*, uint16_t*, uint16_t*, uint16_t*,
                                uint32_t, uint32_t*, WCHAR*) override {
    return E_NOTIMPL;
  }
  HRESULT GetThreadStaticAddress2(ClassID, mdFieldDef, AppDomainID, ThreadID, void**) override {
    return E_NOTIMPL;
  }
  HRESULT GetAppDomainsContainingModule(ModuleID, uint32_t, uint32_t*, AppDomainID*) override {
    return E_NOTIMPL;
  }
  HRESULT GetModuleInfo2(ModuleID, const uint8_t**, uint32_t, uint32_t*, WCHAR*, AssemblyID*,
                         uint32_t*) override {
    return E_NOTIMPL;
  }

  // ICorProfilerInfo4
  HRESULT EnumThreads(ICorProfilerThreadEnum**) override { return E_NOTIMPL; }
  HRESULT InitializeCurrentThread() override { return E_NOTIMPL; }
  HRESULT RequestReJIT(uint32_t, ModuleID*, mdMethodDef*) override { return E_NOTIMPL; }
  HRESULT RequestRevert(uint32_t, ModuleID*, mdMethodDef*, HRESULT*) override { return E_NOTIMPL; }
  HRESULT GetCodeInfo3(FunctionID, ReJITID, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFunctionFromIP2(const uint8_t*, FunctionID*, ReJITID*) override { return E_NOTIMPL; }
  HRESULT GetReJITIDs(FunctionID, uint32_t, uint32_t*, ReJITID*) override { return E_NOTIMPL; }
  HRESULT GetILToNativeMapping2(FunctionID, ReJITID, uint32_t, uint32_t*,
                                COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumJITedFunctions2(ICorProfilerFunctionEnum**) override { return E_NOTIMPL; }
  HRESULT GetObjectSize2(ObjectID, size_t*) override { return E_NOTIMPL; }

  // ICorProfilerInfo5
  HRESULT GetEventMask2(uint32_t*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT SetEventMask2(uint32_t, uint32_t) override { return E_NOTIMPL; }

  // ICorProfilerInfo6
  HRESULT EnumNgenModuleMethodsInliningThisMethod(ModuleID, ModuleID, mdMethodDef, BOOL*,
                                                  ICorProfilerMethodEnum**) override {
    return E_NOTIMPL;
  }

  // ICorProfilerInfo7
  HRESULT ApplyMetaData(ModuleID) override { return E_NOTIMPL; }
  HRESULT GetInMemorySymbolsLength(ModuleID, uint32_t*) override { return E_NOTIMPL; }
  HRESULT ReadInMemorySymbols(ModuleID, uint32_t, uint8_t*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }

  // ICorProfilerInfo8
  HRESULT IsFunctionDynamic(FunctionID, BOOL*) override { return E_NOTIMPL; }
  HRESULT GetFunctionFromIP3(const uint8_t*, FunctionID*, ReJITID*) override { return E_NOTIMPL; }
  HRESULT GetDynamicFunctionInfo(FunctionID, ModuleID*, PCCOR_SIGNATURE*, uint32_t*, uint32_t, uint32_t*,
                                 WCHAR*) override {
    return E_NOTIMPL;
  }

  // ICorProfilerInfo9
  HRESULT GetNativeCodeStartAddresses(FunctionID, ReJITID, uint32_t, uint32_t*, uintptr_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetILToNativeMapping3(uintptr_t, uint32_t, uint32_t*, COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return E_NOTIMPL;
  }
  HRESULT GetCodeInfo4(uintptr_t, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override { return E_NOTIMPL; }

  // ICorProfilerInfo10
  HRESULT EnumerateObjectReferences(ObjectID, ObjectReferenceCallback, void*) override { return E_NOTIMPL; }
  HRESULT IsFrozenObject(ObjectID, BOOL*) override { return E_NOTIMPL; }
  HRESULT GetLOHObjectSizeThreshold(uint32_t*) override { return E_NOTIMPL; }
  HRESULT RequestReJITWithInliners(uint32_t, uint32_t, ModuleID*, mdMethodDef*) override { return E_NOTIMPL; }
  HRESULT SuspendRuntime() override { return E_NOTIMPL; }
  HRESULT ResumeRuntime() override { return E_NOTIMPL; }

  // ICorProfilerInfo11
  HRESULT GetEnvironmentVariable(const WCHAR*, uint32_t, uint32_t*, WCHAR*) override { return E_NOTIMPL; }
  HRESULT SetEnvironmentVariable(const WCHAR*, const WCHAR*) override { return E_NOTIMPL; }

  // ICorProfilerInfo12
  HRESULT EventPipeStartSession(uint32_t, COR_PRF_EVENTPIPE_PROVIDER_CONFIG*, BOOL,
                                EVENTPIPE_SESSION*) override {
    return E_NOTIMPL;
  }
  HRESULT EventPipeAddProviderToSession(EVENTPIPE_SESSION, COR_PRF_EVENTPIPE_PROVIDER_CONFIG) override {
    return E_NOTIMPL;
  }
  HRESULT EventPipeStopSession(EVENTPIPE_SESSION) override { return E_NOTIMPL; }
  HRESULT EventPipeCreateProvider(const WCHAR*, EVENTPIPE_PROVIDER*) override { return E_NOTIMPL; }
  HRESULT EventPipeGetProviderInfo(EVENTPIPE_PROVIDER, uint32_t, uint32_t*, WCHAR*) override {
    return E_NOTIMPL;
  }
  HRESULT EventPipeDefineEvent(EVENTPIPE_PROVIDER, const WCHAR*, uint32_t, uint64_t, uint32_t, uint32_t,
                               uint8_t, BOOL, uint32_t, COR_PRF_EVENTPIPE_PARAM_DESC*,
                               EVENTPIPE_EVENT*) override {
    return E_NOTIMPL;
  }
  HRESULT EventPipeWriteEvent(EVENTPIPE_EVENT, uint32_t, COR_PRF_EVENT_DATA*, const GUID*,
                              const GUID*) override {
    return E_NOTIMPL;
  }

  // ICorProfilerInfo13
  HRESULT CreateHandle(ObjectID, COR_PRF_HANDLE_TYPE, ObjectHandleID*) override { return E_NOTIMPL; }
  HRESULT DestroyHandle(ObjectHandleID) override { return E_NOTIMPL; }
  HRESULT GetObjectIDFromHandle(ObjectHandleID, ObjectID*) override { return E_NOTIMPL; }

  // ICorProfilerInfo14
  HRESULT EnumerateNonGCObjects(ICorProfilerObjectEnum**) override { return E_NOTIMPL; }
  HRESULT GetNonGCHeapBounds(uint32_t, uint32_t*, COR_PRF_NONGC_HEAP_RANGE*) override { return E_NOTIMPL; }
  HRESULT EventPipeCreateProvider2(const WCHAR*, EventPipeProviderCallback*, EVENTPIPE_PROVIDER*) override {
    return E_NOTIMPL;
  }

  // ICorProfilerInfo15
  HRESULT EnumerateGCHeapObjects(ObjectCallback, void*) override { return E_NOTIMPL; }

  uint32_t references = 1;
};

inline HRESULT NullICorProfilerInfo15::QueryInterface(const GUID& riid, void** object) {
  const bool known = riid == IUnknown::kIid || riid == ICorProfilerInfo15::kIid;
  *object = known ? this : nullptr;
  if (known) AddRef();
  return known ? S_OK : E_NOINTERFACE;
}

}  // namespace walkabout::clr
