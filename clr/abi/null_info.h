// For tests: an ICorProfilerInfo that knows nothing.
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
  HRESULT GetClassFromObject(ObjectID, ClassID*) override { return asked("GetClassFromObject"); }
  HRESULT GetClassFromToken(ModuleID, mdTypeDef, ClassID*) override { return asked("GetClassFromToken"); }
  HRESULT GetCodeInfo(FunctionID, const uint8_t**, uint32_t*) override { return asked("GetCodeInfo"); }
  HRESULT GetEventMask(uint32_t*) override { return asked("GetEventMask"); }
  HRESULT GetFunctionFromIP(const uint8_t*, FunctionID*) override { return asked("GetFunctionFromIP"); }
  HRESULT GetFunctionFromToken(ModuleID, mdToken, FunctionID*) override {
    return asked("GetFunctionFromToken");
  }
  HRESULT GetHandleFromThread(ThreadID, HANDLE*) override { return asked("GetHandleFromThread"); }
  HRESULT GetObjectSize(ObjectID, uint32_t*) override { return asked("GetObjectSize"); }
  HRESULT IsArrayClass(ClassID, CorElementType*, ClassID*, uint32_t*) override {
    return asked("IsArrayClass");
  }
  HRESULT GetThreadInfo(ThreadID, uint32_t*) override { return asked("GetThreadInfo"); }
  HRESULT GetCurrentThreadID(ThreadID*) override { return asked("GetCurrentThreadID"); }
  HRESULT GetClassIDInfo(ClassID, ModuleID*, mdTypeDef*) override { return asked("GetClassIDInfo"); }
  HRESULT GetFunctionInfo(FunctionID, ClassID*, ModuleID*, mdToken*) override {
    return asked("GetFunctionInfo");
  }
  HRESULT SetEventMask(uint32_t) override { return asked("SetEventMask"); }
  HRESULT SetEnterLeaveFunctionHooks(FunctionEnter*, FunctionLeave*, FunctionTailcall*) override {
    return asked("SetEnterLeaveFunctionHooks");
  }
  HRESULT SetFunctionIDMapper(FunctionIDMapper*) override { return asked("SetFunctionIDMapper"); }
  HRESULT GetTokenAndMetaDataFromFunction(FunctionID, const GUID&, IUnknown**, mdToken*) override {
    return asked("GetTokenAndMetaDataFromFunction");
  }
  HRESULT GetModuleInfo(ModuleID, const uint8_t**, uint32_t, uint32_t*, WCHAR*, AssemblyID*) override {
    return asked("GetModuleInfo");
  }
  HRESULT GetModuleMetaData(ModuleID, uint32_t, const GUID&, IUnknown**) override {
    return asked("GetModuleMetaData");
  }
  HRESULT GetILFunctionBody(ModuleID, mdMethodDef, const uint8_t**, uint32_t*) override {
    return asked("GetILFunctionBody");
  }
  HRESULT GetILFunctionBodyAllocator(ModuleID, IMethodMalloc**) override {
    return asked("GetILFunctionBodyAllocator");
  }
  HRESULT SetILFunctionBody(ModuleID, mdMethodDef, const uint8_t*) override {
    return asked("SetILFunctionBody");
  }
  HRESULT GetAppDomainInfo(AppDomainID, uint32_t, uint32_t*, WCHAR*, ProcessID*) override {
    return asked("GetAppDomainInfo");
  }
  HRESULT GetAssemblyInfo(AssemblyID, uint32_t, uint32_t*, WCHAR*, AppDomainID*, ModuleID*) override {
    return asked("GetAssemblyInfo");
  }
  HRESULT SetFunctionReJIT(FunctionID) override { return asked("SetFunctionReJIT"); }
  HRESULT ForceGC() override { return asked("ForceGC"); }
  HRESULT SetILInstrumentedCodeMap(FunctionID, BOOL, uint32_t, COR_IL_MAP*) override {
    return asked("SetILInstrumentedCodeMap");
  }
  HRESULT GetInprocInspectionInterface(IUnknown**) override { return asked("GetInprocInspectionInterface"); }
  HRESULT GetInprocInspectionIThisThread(IUnknown**) override {
    return asked("GetInprocInspectionIThisThread");
  }
  HRESULT GetThreadContext(ThreadID, ContextID*) override { return asked("GetThreadContext"); }
  HRESULT BeginInprocDebugging(BOOL, uint32_t*) override { return asked("BeginInprocDebugging"); }
  HRESULT EndInprocDebugging(uint32_t) override { return asked("EndInprocDebugging"); }
  HRESULT GetILToNativeMapping(FunctionID, uint32_t, uint32_t*, COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return asked("GetILToNativeMapping");
  }

  // ICorProfilerInfo2
  HRESULT DoStackSnapshot(ThreadID, StackSnapshotCallback*, uint32_t, void*, uint8_t*, uint32_t) override {
    return asked("DoStackSnapshot");
  }
  HRESULT SetEnterLeaveFunctionHooks2(FunctionEnter2*, FunctionLeave2*, FunctionTailcall2*) override {
    return asked("SetEnterLeaveFunctionHooks2");
  }
  HRESULT GetFunctionInfo2(FunctionID, COR_PRF_FRAME_INFO, ClassID*, ModuleID*, mdToken*, uint32_t, uint32_t*,
                           ClassID*) override {
    return asked("GetFunctionInfo2");
  }
  HRESULT GetStringLayout(uint32_t*, uint32_t*, uint32_t*) override { return asked("GetStringLayout"); }
  HRESULT GetClassLayout(ClassID, COR_FIELD_OFFSET*, uint32_t, uint32_t*, uint32_t*) override {
    return asked("GetClassLayout");
  }
  HRESULT GetClassIDInfo2(ClassID, ModuleID*, mdTypeDef*, ClassID*, uint32_t, uint32_t*, ClassID*) override {
    return asked("GetClassIDInfo2");
  }
  HRESULT GetCodeInfo2(FunctionID, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override {
    return asked("GetCodeInfo2");
  }
  HRESULT GetClassFromTokenAndTypeArgs(ModuleID, mdTypeDef, uint32_t, ClassID*, ClassID*) override {
    return asked("GetClassFromTokenAndTypeArgs");
  }
  HRESULT GetFunctionFromTokenAndTypeArgs(ModuleID, mdMethodDef, ClassID, uint32_t, ClassID*,
                                          FunctionID*) override {
    return asked("GetFunctionFromTokenAndTypeArgs");
  }
  HRESULT EnumModuleFrozenObjects(ModuleID, ICorProfilerObjectEnum**) override {
    return asked("EnumModuleFrozenObjects");
  }
  HRESULT GetArrayObjectInfo(ObjectID, uint32_t, uint32_t*, int*, uint8_t**) override {
    return asked("GetArrayObjectInfo");
  }
  HRESULT GetBoxClassLayout(ClassID, uint32_t*) override { return asked("GetBoxClassLayout"); }
  HRESULT GetThreadAppDomain(ThreadID, AppDomainID*) override { return asked("GetThreadAppDomain"); }
  HRESULT GetRVAStaticAddress(ClassID, mdFieldDef, void**) override { return asked("GetRVAStaticAddress"); }
  HRESULT GetAppDomainStaticAddress(ClassID, mdFieldDef, AppDomainID, void**) override {
    return asked("GetAppDomainStaticAddress");
  }
  HRESULT GetThreadStaticAddress(ClassID, mdFieldDef, ThreadID, void**) override {
    return asked("GetThreadStaticAddress");
  }
  HRESULT GetContextStaticAddress(ClassID, mdFieldDef, ContextID, void**) override {
    return asked("GetContextStaticAddress");
  }
  HRESULT GetStaticFieldInfo(ClassID, mdFieldDef, COR_PRF_STATIC_TYPE*) override {
    return asked("GetStaticFieldInfo");
  }
  HRESULT GetGenerationBounds(uint32_t, uint32_t*, COR_PRF_GC_GENERATION_RANGE*) override {
    return asked("GetGenerationBounds");
  }
  HRESULT GetObjectGeneration(ObjectID, COR_PRF_GC_GENERATION_RANGE*) override {
    return asked("GetObjectGeneration");
  }
  HRESULT GetNotifiedExceptionClauseInfo(COR_PRF_EX_CLAUSE_INFO*) override {
    return asked("GetNotifiedExceptionClauseInfo");
  }

  // ICorProfilerInfo3
  HRESULT EnumJITedFunctions(ICorProfilerFunctionEnum**) override { return asked("EnumJITedFunctions"); }
  HRESULT RequestProfilerDetach(uint32_t) override { return asked("RequestProfilerDetach"); }
  HRESULT SetFunctionIDMapper2(FunctionIDMapper2*, void*) override { return asked("SetFunctionIDMapper2"); }
  HRESULT GetStringLayout2(uint32_t*, uint32_t*) override { return asked("GetStringLayout2"); }
  HRESULT SetEnterLeaveFunctionHooks3(FunctionEnter3*, FunctionLeave3*, FunctionTailcall3*) override {
    return asked("SetEnterLeaveFunctionHooks3");
  }
  HRESULT SetEnterLeaveFunctionHooks3WithInfo(FunctionEnter3WithInfo*, FunctionLeave3WithInfo*,
                                              FunctionTailcall3WithInfo*) override {
    return asked("SetEnterLeaveFunctionHooks3WithInfo");
  }
  HRESULT GetFunctionEnter3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*, uint32_t*,
                                COR_PRF_FUNCTION_ARGUMENT_INFO*) override {
    return asked("GetFunctionEnter3Info");
  }
  HRESULT GetFunctionLeave3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*,
                                COR_PRF_FUNCTION_ARGUMENT_RANGE*) override {
    return asked("GetFunctionLeave3Info");
  }
  HRESULT GetFunctionTailcall3Info(FunctionID, COR_PRF_ELT_INFO, COR_PRF_FRAME_INFO*) override {
    return asked("GetFunctionTailcall3Info");
  }
  HRESULT EnumModules(ICorProfilerModuleEnum**) override { return asked("EnumModules"); }
  HRESULT GetRuntimeInformation(uint16_t*, COR_PRF_RUNTIME_TYPE*, uint16_t*, uint16_t*, uint16_t*, uint16_t*,
                                uint32_t, uint32_t*, WCHAR*) override {
    return asked("GetRuntimeInformation");
  }
  HRESULT GetThreadStaticAddress2(ClassID, mdFieldDef, AppDomainID, ThreadID, void**) override {
    return asked("GetThreadStaticAddress2");
  }
  HRESULT GetAppDomainsContainingModule(ModuleID, uint32_t, uint32_t*, AppDomainID*) override {
    return asked("GetAppDomainsContainingModule");
  }
  HRESULT GetModuleInfo2(ModuleID, const uint8_t**, uint32_t, uint32_t*, WCHAR*, AssemblyID*,
                         uint32_t*) override {
    return asked("GetModuleInfo2");
  }

  // ICorProfilerInfo4
  HRESULT EnumThreads(ICorProfilerThreadEnum**) override { return asked("EnumThreads"); }
  HRESULT InitializeCurrentThread() override { return asked("InitializeCurrentThread"); }
  HRESULT RequestReJIT(uint32_t, ModuleID*, mdMethodDef*) override { return asked("RequestReJIT"); }
  HRESULT RequestRevert(uint32_t, ModuleID*, mdMethodDef*, HRESULT*) override {
    return asked("RequestRevert");
  }
  HRESULT GetCodeInfo3(FunctionID, ReJITID, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override {
    return asked("GetCodeInfo3");
  }
  HRESULT GetFunctionFromIP2(const uint8_t*, FunctionID*, ReJITID*) override {
    return asked("GetFunctionFromIP2");
  }
  HRESULT GetReJITIDs(FunctionID, uint32_t, uint32_t*, ReJITID*) override { return asked("GetReJITIDs"); }
  HRESULT GetILToNativeMapping2(FunctionID, ReJITID, uint32_t, uint32_t*,
                                COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return asked("GetILToNativeMapping2");
  }
  HRESULT EnumJITedFunctions2(ICorProfilerFunctionEnum**) override { return asked("EnumJITedFunctions2"); }
  HRESULT GetObjectSize2(ObjectID, size_t*) override { return asked("GetObjectSize2"); }

  // ICorProfilerInfo5
  HRESULT GetEventMask2(uint32_t*, uint32_t*) override { return asked("GetEventMask2"); }
  HRESULT SetEventMask2(uint32_t, uint32_t) override { return asked("SetEventMask2"); }

  // ICorProfilerInfo6
  HRESULT EnumNgenModuleMethodsInliningThisMethod(ModuleID, ModuleID, mdMethodDef, BOOL*,
                                                  ICorProfilerMethodEnum**) override {
    return asked("EnumNgenModuleMethodsInliningThisMethod");
  }

  // ICorProfilerInfo7
  HRESULT ApplyMetaData(ModuleID) override { return asked("ApplyMetaData"); }
  HRESULT GetInMemorySymbolsLength(ModuleID, uint32_t*) override { return asked("GetInMemorySymbolsLength"); }
  HRESULT ReadInMemorySymbols(ModuleID, uint32_t, uint8_t*, uint32_t, uint32_t*) override {
    return asked("ReadInMemorySymbols");
  }

  // ICorProfilerInfo8
  HRESULT IsFunctionDynamic(FunctionID, BOOL*) override { return asked("IsFunctionDynamic"); }
  HRESULT GetFunctionFromIP3(const uint8_t*, FunctionID*, ReJITID*) override {
    return asked("GetFunctionFromIP3");
  }
  HRESULT GetDynamicFunctionInfo(FunctionID, ModuleID*, PCCOR_SIGNATURE*, uint32_t*, uint32_t, uint32_t*,
                                 WCHAR*) override {
    return asked("GetDynamicFunctionInfo");
  }

  // ICorProfilerInfo9
  HRESULT GetNativeCodeStartAddresses(FunctionID, ReJITID, uint32_t, uint32_t*, uintptr_t*) override {
    return asked("GetNativeCodeStartAddresses");
  }
  HRESULT GetILToNativeMapping3(uintptr_t, uint32_t, uint32_t*, COR_DEBUG_IL_TO_NATIVE_MAP*) override {
    return asked("GetILToNativeMapping3");
  }
  HRESULT GetCodeInfo4(uintptr_t, uint32_t, uint32_t*, COR_PRF_CODE_INFO*) override {
    return asked("GetCodeInfo4");
  }

  // ICorProfilerInfo10
  HRESULT EnumerateObjectReferences(ObjectID, ObjectReferenceCallback, void*) override {
    return asked("EnumerateObjectReferences");
  }
  HRESULT IsFrozenObject(ObjectID, BOOL*) override { return asked("IsFrozenObject"); }
  HRESULT GetLOHObjectSizeThreshold(uint32_t*) override { return asked("GetLOHObjectSizeThreshold"); }
  HRESULT RequestReJITWithInliners(uint32_t, uint32_t, ModuleID*, mdMethodDef*) override {
    return asked("RequestReJITWithInliners");
  }
  HRESULT SuspendRuntime() override { return asked("SuspendRuntime"); }
  HRESULT ResumeRuntime() override { return asked("ResumeRuntime"); }

  // ICorProfilerInfo11
  HRESULT GetEnvironmentVariable(const WCHAR*, uint32_t, uint32_t*, WCHAR*) override {
    return asked("GetEnvironmentVariable");
  }
  HRESULT SetEnvironmentVariable(const WCHAR*, const WCHAR*) override {
    return asked("SetEnvironmentVariable");
  }

  // ICorProfilerInfo12
  HRESULT EventPipeStartSession(uint32_t, COR_PRF_EVENTPIPE_PROVIDER_CONFIG*, BOOL,
                                EVENTPIPE_SESSION*) override {
    return asked("EventPipeStartSession");
  }
  HRESULT EventPipeAddProviderToSession(EVENTPIPE_SESSION, COR_PRF_EVENTPIPE_PROVIDER_CONFIG) override {
    return asked("EventPipeAddProviderToSession");
  }
  HRESULT EventPipeStopSession(EVENTPIPE_SESSION) override { return asked("EventPipeStopSession"); }
  HRESULT EventPipeCreateProvider(const WCHAR*, EVENTPIPE_PROVIDER*) override {
    return asked("EventPipeCreateProvider");
  }
  HRESULT EventPipeGetProviderInfo(EVENTPIPE_PROVIDER, uint32_t, uint32_t*, WCHAR*) override {
    return asked("EventPipeGetProviderInfo");
  }
  HRESULT EventPipeDefineEvent(EVENTPIPE_PROVIDER, const WCHAR*, uint32_t, uint64_t, uint32_t, uint32_t,
                               uint8_t, BOOL, uint32_t, COR_PRF_EVENTPIPE_PARAM_DESC*,
                               EVENTPIPE_EVENT*) override {
    return asked("EventPipeDefineEvent");
  }
  HRESULT EventPipeWriteEvent(EVENTPIPE_EVENT, uint32_t, COR_PRF_EVENT_DATA*, const GUID*,
                              const GUID*) override {
    return asked("EventPipeWriteEvent");
  }

  // ICorProfilerInfo13
  HRESULT CreateHandle(ObjectID, COR_PRF_HANDLE_TYPE, ObjectHandleID*) override {
    return asked("CreateHandle");
  }
  HRESULT DestroyHandle(ObjectHandleID) override { return asked("DestroyHandle"); }
  HRESULT GetObjectIDFromHandle(ObjectHandleID, ObjectID*) override { return asked("GetObjectIDFromHandle"); }

  // ICorProfilerInfo14
  HRESULT EnumerateNonGCObjects(ICorProfilerObjectEnum**) override { return asked("EnumerateNonGCObjects"); }
  HRESULT GetNonGCHeapBounds(uint32_t, uint32_t*, COR_PRF_NONGC_HEAP_RANGE*) override {
    return asked("GetNonGCHeapBounds");
  }
  HRESULT EventPipeCreateProvider2(const WCHAR*, EventPipeProviderCallback*, EVENTPIPE_PROVIDER*) override {
    return asked("EventPipeCreateProvider2");
  }

  // ICorProfilerInfo15
  HRESULT EnumerateGCHeapObjects(ObjectCallback, void*) override { return asked("EnumerateGCHeapObjects"); }

  // Whatever is not overridden comes here.
  virtual HRESULT asked(const char* /*method*/) { return E_NOTIMPL; }

  uint32_t references = 1;
};

inline HRESULT NullICorProfilerInfo15::QueryInterface(const GUID& riid, void** object) {
  const bool known = riid == IUnknown::kIid || riid == ICorProfilerInfo15::kIid;
  *object = known ? this : nullptr;
  if (known) AddRef();
  return known ? S_OK : E_NOINTERFACE;
}

}  // namespace walkabout::clr
