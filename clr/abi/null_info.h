// An ICorProfilerInfo that knows nothing: for tests, and to derive from.
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include "clr/abi/info.h"

namespace walkabout::clr {

class NullICorProfilerInfo15 : public ICorProfilerInfo15 {
 public:
  HRESULT QueryInterface(const GUID& riid, void** object) override;
  uint32_t AddRef() override { return ++references; }
  uint32_t Release() override { return --references; }

  // ICorProfilerInfo
  HRESULT GetClassFromObject(ObjectID, ClassID*) override { return not_overridden("GetClassFromObject"); }
  HRESULT GetClassFromToken(ModuleID, mdTypeDef, ClassID*) override {
    return not_overridden("GetClassFromToken");
  }
  HRESULT GetCodeInfo(FunctionID, const uint8_t**, uint32_t*) override {
    return not_overridden("GetCodeInfo");
  }
  HRESULT GetEventMask(uint32_t*) override { return not_overridden("GetEventMask"); }
  HRESULT GetFunctionFromIP(const uint8_t*, FunctionID*) override {
    return not_overridden("GetFunctionFromIP");
  }
  HRESULT GetFunctionFromToken(ModuleID, mdToken, FunctionID*) override {
    return not_overridden("GetFunctionFromToken");
  }
  HRESULT GetHandleFromThread(ThreadID, HANDLE*) override { return not_overridden("GetHandleFromThread"); }
  HRESULT GetObjectSize(ObjectID, uint32_t*) override { return not_overridden("GetObjectSize"); }
  HRESULT IsArrayClass(ClassID, CorElementType*, ClassID*, uint32_t*) override {
    return not_overridden("IsArrayClass");
  }
  HRESULT GetThreadInfo(ThreadID, uint32_t*) override { return not_overridden("GetThreadInfo"); }
  HRESULT GetCurrentThreadID(ThreadID*) override { return not_overridden("GetCurrentThreadID"); }
  HRESULT GetClassIDInfo(ClassID, ModuleID*, mdTypeDef*) override { return not_overridden("GetClassIDInfo"); }
  HRESULT GetFunctionInfo(FunctionID, ClassID*, ModuleID*, mdToken*) override {
    return not_overridden("GetFunctionInfo");
  }
  HRESULT SetEventMask(uint32_t) override { return not_overridden("SetEventMask"); }
  HRESULT SetEnterLeaveFunctionHooks(FunctionEnter*, FunctionLeave*, FunctionTailcall*) override {
    return not_overridden("SetEnterLeaveFunctionHooks");
  }
  HRESULT SetFunctionIDMapper(FunctionIDMapper*) override { return not_overridden("SetFunctionIDMapper"); }
  HRESULT GetTokenAndMetaDataFromFunction(FunctionID, const GUID&, IUnknown**, mdToken*) override {
    return not_overridden("GetTokenAndMetaDataFromFunction");
  }
  HRESULT GetModuleInfo(ModuleID, const uint8_t**, uint32_t, uint32_t*, WCHAR*, AssemblyID*) override {
    return not_overridden("GetModuleInfo");
  }
  HRESULT GetModuleMetaData(ModuleID, uint32_t, const GUID&, IUnknown**) override {
    return not_overridden("GetModuleMetaData");
  }
  HRESULT GetILFunctionBody(ModuleID, mdMethodDef, const uint8_t**, uint32_t*) override {
    return not_overridden("GetILFunctionBody");
  }
  HRESULT GetILFunctionBodyAllocator(ModuleID, IMethodMalloc**) override {
    return not_overridden("GetILFunctionBodyAllocator");
  }
  HRESULT SetILFunctionBody(ModuleID, mdMethodDef, const uint8_t*) override {
    return not_overridden("SetILFunctionBody");
  }
  HRESULT GetAppDomainInfo(AppDomainID, uint32_t, uint32_t*, WCHAR*, ProcessID*) override {
    return not_overridden("GetAppDomainInfo");
  }
  HRESULT GetAssemblyInfo(AssemblyID, uint32_t, uint32_t*, WCHAR*, AppDomainID*, ModuleID*) override {
    return not_overridden("GetAssemblyInfo");
  }
  HRESULT SetFunctionReJIT(FunctionID) override { return not_overridden("SetFunctionReJIT"); }
  HRESULT ForceGC() override { return not_overridden("ForceGC"); }
  HRESULT SetILInstrumentedCodeMap(FunctionID, BOOL, uint32_t, COR_IL_MAP*) override {
    return not_overridden("SetILInstrumentedCodeMap");
  }
  HRESULT GetInprocInspectionInterface(IUnknown**) override {
    return not_overridden("GetInprocInspectionInterface");
  }
  HRESULT GetInprocInspectionIThisThread(IUnknown**) override {
    return not_overridden("GetInprocInspectionIThisThread");
  }
  HRESULT GetThreadContext(ThreadID, ContextID*) override { return not_overridden("GetThreadContext"); }
  HRESULT BeginInprocDebugging(BOOL, uint32_t*) override { return not_overridden("BeginInprocDebugging"); }
  HRESULT EndInprocDebugging(uint32_t) override { return not_overridden("EndInprocDebugging"); }
  HRESULT GetILToNativeMapping(FunctionID, uint32_t, uint32_t*, COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return not_overridden("GetILToNativeMapping");
  }

  // ICorProfilerInfo2
  HRESULT DoStackSnapshot(ThreadID, StackSnapshotCallback*, uint32_t, void*, uint8_t*, uint32_t) override {
    return not_overridden("DoStackSnapshot");
  }
  HRESULT SetEnterLeaveFunctionHooks2(FunctionEnter2*, FunctionLeave2*, FunctionTailcall2*) override {
    return not_overridden("SetEnterLeaveFunctionHooks2");
  }
  HRESULT GetFunctionInfo2(FunctionID, COR_PRF_FRAME_INFO, ClassID*, ModuleID*, mdToken*, uint32_t, uint32_t*,
                           ClassID*) override {
    return not_overridden("GetFunctionInfo2");
  }
  HRESULT GetStringLayout(uint32_t*, uint32_t*, uint32_t*) override {
    return not_overridden("GetStringLayout");
  }
  HRESULT GetClassLayout(ClassID, COR_FIELD_OFFSET*, uint32_t, uint32_t*, uint32_t*) override {
    return not_overridden("GetClassLayout");
  }
  HRESULT GetClassIDInfo2(ClassID, ModuleID*, mdTypeDef*, ClassID*, uint32_t, uint32_t*, ClassID*) override {
    return not_overridden("GetClassIDInfo2");
  }
  HRESULT GetCodeInfo2(FunctionID, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override {
    return not_overridden("GetCodeInfo2");
  }
  HRESULT GetClassFromTokenAndTypeArgs(ModuleID, mdTypeDef, uint32_t, ClassID*, ClassID*) override {
    return not_overridden("GetClassFromTokenAndTypeArgs");
  }
  HRESULT GetFunctionFromTokenAndTypeArgs(ModuleID, mdMethodDef, ClassID, uint32_t, ClassID*,
                                          FunctionID*) override {
    return not_overridden("GetFunctionFromTokenAndTypeArgs");
  }
  HRESULT EnumModuleFrozenObjects(ModuleID, ICorProfilerObjectEnum**) override {
    return not_overridden("EnumModuleFrozenObjects");
  }
  HRESULT GetArrayObjectInfo(ObjectID, uint32_t, uint32_t*, int*, uint8_t**) override {
    return not_overridden("GetArrayObjectInfo");
  }
  HRESULT GetBoxClassLayout(ClassID, uint32_t*) override { return not_overridden("GetBoxClassLayout"); }
  HRESULT GetThreadAppDomain(ThreadID, AppDomainID*) override { return not_overridden("GetThreadAppDomain"); }
  HRESULT GetRVAStaticAddress(ClassID, mdFieldDef, void**) override {
    return not_overridden("GetRVAStaticAddress");
  }
  HRESULT GetAppDomainStaticAddress(ClassID, mdFieldDef, AppDomainID, void**) override {
    return not_overridden("GetAppDomainStaticAddress");
  }
  HRESULT GetThreadStaticAddress(ClassID, mdFieldDef, ThreadID, void**) override {
    return not_overridden("GetThreadStaticAddress");
  }
  HRESULT GetContextStaticAddress(ClassID, mdFieldDef, ContextID, void**) override {
    return not_overridden("GetContextStaticAddress");
  }
  HRESULT GetStaticFieldInfo(ClassID, mdFieldDef, COR_PRF_STATIC_TYPE*) override {
    return not_overridden("GetStaticFieldInfo");
  }
  HRESULT GetGenerationBounds(uint32_t, uint32_t*, COR_PRF_GC_GENERATION_RANGE*) override {
    return not_overridden("GetGenerationBounds");
  }
  HRESULT GetObjectGeneration(ObjectID, COR_PRF_GC_GENERATION_RANGE*) override {
    return not_overridden("GetObjectGeneration");
  }
  HRESULT GetNotifiedExceptionClauseInfo(COR_PRF_EX_CLAUSE_INFO*) override {
    return not_overridden("GetNotifiedExceptionClauseInfo");
  }

  // ICorProfilerInfo3
  HRESULT EnumJITedFunctions(ICorProfilerFunctionEnum**) override {
    return not_overridden("EnumJITedFunctions");
  }
  HRESULT RequestProfilerDetach(uint32_t) override { return not_overridden("RequestProfilerDetach"); }
  HRESULT SetFunctionIDMapper2(FunctionIDMapper2*, void*) override {
    return not_overridden("SetFunctionIDMapper2");
  }
  HRESULT GetStringLayout2(uint32_t*, uint32_t*) override { return not_overridden("GetStringLayout2"); }
  HRESULT SetEnterLeaveFunctionHooks3(FunctionEnter3*, FunctionLeave3*, FunctionTailcall3*) override {
    return not_overridden("SetEnterLeaveFunctionHooks3");
  }
  HRESULT SetEnterLeaveFunctionHooks3WithInfo(FunctionEnter3WithInfo*, FunctionLeave3WithInfo*,
                                              FunctionTailcall3WithInfo*) override {
    return not_overridden("SetEnterLeaveFunctionHooks3WithInfo");
  }
  HRESULT GetFunctionEnter3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*, uint32_t*,
                                COR_PRF_FUNCTION_ARGUMENT_INFO*) override {
    return not_overridden("GetFunctionEnter3Info");
  }
  HRESULT GetFunctionLeave3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*,
                                COR_PRF_FUNCTION_ARGUMENT_RANGE*) override {
    return not_overridden("GetFunctionLeave3Info");
  }
  HRESULT GetFunctionTailcall3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*) override {
    return not_overridden("GetFunctionTailcall3Info");
  }
  HRESULT EnumModules(ICorProfilerModuleEnum**) override { return not_overridden("EnumModules"); }
  HRESULT GetRuntimeInformation(uint16_t*, COR_PRF_RUNTIME_TYPE*, uint16_t*, uint16_t*, uint16_t*, uint16_t*,
                                uint32_t, uint32_t*, WCHAR*) override {
    return not_overridden("GetRuntimeInformation");
  }
  HRESULT GetThreadStaticAddress2(ClassID, mdFieldDef, AppDomainID, ThreadID, void**) override {
    return not_overridden("GetThreadStaticAddress2");
  }
  HRESULT GetAppDomainsContainingModule(ModuleID, uint32_t, uint32_t*, AppDomainID*) override {
    return not_overridden("GetAppDomainsContainingModule");
  }
  HRESULT GetModuleInfo2(ModuleID, const uint8_t**, uint32_t, uint32_t*, WCHAR*, AssemblyID*,
                         uint32_t*) override {
    return not_overridden("GetModuleInfo2");
  }

  // ICorProfilerInfo4
  HRESULT EnumThreads(ICorProfilerThreadEnum**) override { return not_overridden("EnumThreads"); }
  HRESULT InitializeCurrentThread() override { return not_overridden("InitializeCurrentThread"); }
  HRESULT RequestReJIT(uint32_t, ModuleID*, mdMethodDef*) override { return not_overridden("RequestReJIT"); }
  HRESULT RequestRevert(uint32_t, ModuleID*, mdMethodDef*, HRESULT*) override {
    return not_overridden("RequestRevert");
  }
  HRESULT GetCodeInfo3(FunctionID, ReJITID, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override {
    return not_overridden("GetCodeInfo3");
  }
  HRESULT GetFunctionFromIP2(const uint8_t*, FunctionID*, ReJITID*) override {
    return not_overridden("GetFunctionFromIP2");
  }
  HRESULT GetReJITIDs(FunctionID, uint32_t, uint32_t*, ReJITID*) override {
    return not_overridden("GetReJITIDs");
  }
  HRESULT GetILToNativeMapping2(FunctionID, ReJITID, uint32_t, uint32_t*,
                                COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return not_overridden("GetILToNativeMapping2");
  }
  HRESULT EnumJITedFunctions2(ICorProfilerFunctionEnum**) override {
    return not_overridden("EnumJITedFunctions2");
  }
  HRESULT GetObjectSize2(ObjectID, size_t*) override { return not_overridden("GetObjectSize2"); }

  // ICorProfilerInfo5
  HRESULT GetEventMask2(uint32_t*, uint32_t*) override { return not_overridden("GetEventMask2"); }
  HRESULT SetEventMask2(uint32_t, uint32_t) override { return not_overridden("SetEventMask2"); }

  // ICorProfilerInfo6
  HRESULT EnumNgenModuleMethodsInliningThisMethod(ModuleID, ModuleID, mdMethodDef, BOOL*,
                                                  ICorProfilerMethodEnum**) override {
    return not_overridden("EnumNgenModuleMethodsInliningThisMethod");
  }

  // ICorProfilerInfo7
  HRESULT ApplyMetaData(ModuleID) override { return not_overridden("ApplyMetaData"); }
  HRESULT GetInMemorySymbolsLength(ModuleID, uint32_t*) override {
    return not_overridden("GetInMemorySymbolsLength");
  }
  HRESULT ReadInMemorySymbols(ModuleID, uint32_t, uint8_t*, uint32_t, uint32_t*) override {
    return not_overridden("ReadInMemorySymbols");
  }

  // ICorProfilerInfo8
  HRESULT IsFunctionDynamic(FunctionID, BOOL*) override { return not_overridden("IsFunctionDynamic"); }
  HRESULT GetFunctionFromIP3(const uint8_t*, FunctionID*, ReJITID*) override {
    return not_overridden("GetFunctionFromIP3");
  }
  HRESULT GetDynamicFunctionInfo(FunctionID, ModuleID*, PCCOR_SIGNATURE*, uint32_t*, uint32_t, uint32_t*,
                                 WCHAR*) override {
    return not_overridden("GetDynamicFunctionInfo");
  }

  // ICorProfilerInfo9
  HRESULT GetNativeCodeStartAddresses(FunctionID, ReJITID, uint32_t, uint32_t*, uintptr_t*) override {
    return not_overridden("GetNativeCodeStartAddresses");
  }
  HRESULT GetILToNativeMapping3(uintptr_t, uint32_t, uint32_t*, COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return not_overridden("GetILToNativeMapping3");
  }
  HRESULT GetCodeInfo4(uintptr_t, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override {
    return not_overridden("GetCodeInfo4");
  }

  // ICorProfilerInfo10
  HRESULT EnumerateObjectReferences(ObjectID, ObjectReferenceCallback, void*) override {
    return not_overridden("EnumerateObjectReferences");
  }
  HRESULT IsFrozenObject(ObjectID, BOOL*) override { return not_overridden("IsFrozenObject"); }
  HRESULT GetLOHObjectSizeThreshold(uint32_t*) override {
    return not_overridden("GetLOHObjectSizeThreshold");
  }
  HRESULT RequestReJITWithInliners(uint32_t, uint32_t, ModuleID*, mdMethodDef*) override {
    return not_overridden("RequestReJITWithInliners");
  }
  HRESULT SuspendRuntime() override { return not_overridden("SuspendRuntime"); }
  HRESULT ResumeRuntime() override { return not_overridden("ResumeRuntime"); }

  // ICorProfilerInfo11
  HRESULT GetEnvironmentVariable(const WCHAR*, uint32_t, uint32_t*, WCHAR*) override {
    return not_overridden("GetEnvironmentVariable");
  }
  HRESULT SetEnvironmentVariable(const WCHAR*, const WCHAR*) override {
    return not_overridden("SetEnvironmentVariable");
  }

  // ICorProfilerInfo12
  HRESULT EventPipeStartSession(uint32_t, COR_PRF_EVENTPIPE_PROVIDER_CONFIG*, BOOL,
                                EVENTPIPE_SESSION*) override {
    return not_overridden("EventPipeStartSession");
  }
  HRESULT EventPipeAddProviderToSession(EVENTPIPE_SESSION, COR_PRF_EVENTPIPE_PROVIDER_CONFIG) override {
    return not_overridden("EventPipeAddProviderToSession");
  }
  HRESULT EventPipeStopSession(EVENTPIPE_SESSION) override { return not_overridden("EventPipeStopSession"); }
  HRESULT EventPipeCreateProvider(const WCHAR*, EVENTPIPE_PROVIDER*) override {
    return not_overridden("EventPipeCreateProvider");
  }
  HRESULT EventPipeGetProviderInfo(EVENTPIPE_PROVIDER, uint32_t, uint32_t*, WCHAR*) override {
    return not_overridden("EventPipeGetProviderInfo");
  }
  HRESULT EventPipeDefineEvent(EVENTPIPE_PROVIDER, const WCHAR*, uint32_t, uint64_t, uint32_t, uint32_t,
                               uint8_t, BOOL, uint32_t, COR_PRF_EVENTPIPE_PARAM_DESC*,
                               EVENTPIPE_EVENT*) override {
    return not_overridden("EventPipeDefineEvent");
  }
  HRESULT EventPipeWriteEvent(EVENTPIPE_EVENT, uint32_t, COR_PRF_EVENT_DATA*, const GUID*,
                              const GUID*) override {
    return not_overridden("EventPipeWriteEvent");
  }

  // ICorProfilerInfo13
  HRESULT CreateHandle(ObjectID, COR_PRF_HANDLE_TYPE, ObjectHandleID*) override {
    return not_overridden("CreateHandle");
  }
  HRESULT DestroyHandle(ObjectHandleID) override { return not_overridden("DestroyHandle"); }
  HRESULT GetObjectIDFromHandle(ObjectHandleID, ObjectID*) override {
    return not_overridden("GetObjectIDFromHandle");
  }

  // ICorProfilerInfo14
  HRESULT EnumerateNonGCObjects(ICorProfilerObjectEnum**) override {
    return not_overridden("EnumerateNonGCObjects");
  }
  HRESULT GetNonGCHeapBounds(uint32_t, uint32_t*, COR_PRF_NONGC_HEAP_RANGE*) override {
    return not_overridden("GetNonGCHeapBounds");
  }
  HRESULT EventPipeCreateProvider2(const WCHAR*, EventPipeProviderCallback*, EVENTPIPE_PROVIDER*) override {
    return not_overridden("EventPipeCreateProvider2");
  }

  // ICorProfilerInfo15
  HRESULT EnumerateGCHeapObjects(ObjectCallback, void*) override {
    return not_overridden("EnumerateGCHeapObjects");
  }

  // Whatever is not overridden comes here.
  virtual HRESULT not_overridden(const char* /*method*/) { return E_NOTIMPL; }

  uint32_t references = 1;
};

inline HRESULT NullICorProfilerInfo15::QueryInterface(const GUID& riid, void** object) {
  const bool known = riid == IUnknown::kIid || riid == ICorProfilerInfo15::kIid;
  *object = known ? this : nullptr;
  if (known) AddRef();
  return known ? S_OK : E_NOINTERFACE;
}

}  // namespace walkabout::clr
