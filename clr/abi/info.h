// What a profiler may ask of the CLR. Which calls are allowed where (and on which threads) is documented per
// method by the CLR; none of them may be made from a signal handler but DoStackSnapshot on its own thread.
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include "clr/abi/class_factory.h"
#include "clr/abi/enums.h"
#include "clr/abi/structs.h"

namespace walkabout::clr {

class ICorProfilerFunctionEnum;
class ICorProfilerMethodEnum;
class ICorProfilerModuleEnum;
class ICorProfilerObjectEnum;
class ICorProfilerThreadEnum;
class IMethodMalloc;

class ICorProfilerInfo : public IUnknown {
 public:
  static constexpr GUID kIid = guid("28B5557D-3F3F-48b4-90B2-5F9EEA2F6C48");

  virtual HRESULT GetClassFromObject(ObjectID objectId, ClassID* pClassId) = 0;
  virtual HRESULT GetClassFromToken(ModuleID moduleId, mdTypeDef typeDef, ClassID* pClassId) = 0;
  virtual HRESULT GetCodeInfo(FunctionID functionId, const uint8_t** pStart, uint32_t* pcSize) = 0;
  virtual HRESULT GetEventMask(uint32_t* pdwEvents) = 0;
  virtual HRESULT GetFunctionFromIP(const uint8_t* ip, FunctionID* pFunctionId) = 0;
  virtual HRESULT GetFunctionFromToken(ModuleID moduleId, mdToken token, FunctionID* pFunctionId) = 0;
  virtual HRESULT GetHandleFromThread(ThreadID threadId, HANDLE* phThread) = 0;
  virtual HRESULT GetObjectSize(ObjectID objectId, uint32_t* pcSize) = 0;
  virtual HRESULT IsArrayClass(ClassID classId, CorElementType* pBaseElemType, ClassID* pBaseClassId,
                               uint32_t* pcRank) = 0;
  virtual HRESULT GetThreadInfo(ThreadID threadId, uint32_t* pdwWin32ThreadId) = 0;
  virtual HRESULT GetCurrentThreadID(ThreadID* pThreadId) = 0;
  virtual HRESULT GetClassIDInfo(ClassID classId, ModuleID* pModuleId, mdTypeDef* pTypeDefToken) = 0;
  virtual HRESULT GetFunctionInfo(FunctionID functionId, ClassID* pClassId, ModuleID* pModuleId,
                                  mdToken* pToken) = 0;
  virtual HRESULT SetEventMask(uint32_t dwEvents) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks(FunctionEnter* pFuncEnter, FunctionLeave* pFuncLeave,
                                             FunctionTailcall* pFuncTailcall) = 0;
  virtual HRESULT SetFunctionIDMapper(FunctionIDMapper* pFunc) = 0;
  virtual HRESULT GetTokenAndMetaDataFromFunction(FunctionID functionId, const GUID& riid,
                                                  IUnknown** ppImport, mdToken* pToken) = 0;
  virtual HRESULT GetModuleInfo(ModuleID moduleId, const uint8_t** ppBaseLoadAddress, uint32_t cchName,
                                uint32_t* pcchName, WCHAR* szName, AssemblyID* pAssemblyId) = 0;
  virtual HRESULT GetModuleMetaData(ModuleID moduleId, uint32_t dwOpenFlags, const GUID& riid,
                                    IUnknown** ppOut) = 0;
  virtual HRESULT GetILFunctionBody(ModuleID moduleId, mdMethodDef methodId, const uint8_t** ppMethodHeader,
                                    uint32_t* pcbMethodSize) = 0;
  virtual HRESULT GetILFunctionBodyAllocator(ModuleID moduleId, IMethodMalloc** ppMalloc) = 0;
  virtual HRESULT SetILFunctionBody(ModuleID moduleId, mdMethodDef methodid,
                                    const uint8_t* pbNewILMethodHeader) = 0;
  virtual HRESULT GetAppDomainInfo(AppDomainID appDomainId, uint32_t cchName, uint32_t* pcchName,
                                   WCHAR* szName, ProcessID* pProcessId) = 0;
  virtual HRESULT GetAssemblyInfo(AssemblyID assemblyId, uint32_t cchName, uint32_t* pcchName, WCHAR* szName,
                                  AppDomainID* pAppDomainId, ModuleID* pModuleId) = 0;
  virtual HRESULT SetFunctionReJIT(FunctionID functionId) = 0;
  virtual HRESULT ForceGC() = 0;
  virtual HRESULT SetILInstrumentedCodeMap(FunctionID functionId, BOOL fStartJit, uint32_t cILMapEntries,
                                           COR_IL_MAP* rgILMapEntries) = 0;
  virtual HRESULT GetInprocInspectionInterface(IUnknown** ppicd) = 0;
  virtual HRESULT GetInprocInspectionIThisThread(IUnknown** ppicd) = 0;
  virtual HRESULT GetThreadContext(ThreadID threadId, ContextID* pContextId) = 0;
  virtual HRESULT BeginInprocDebugging(BOOL fThisThreadOnly, uint32_t* pdwProfilerContext) = 0;
  virtual HRESULT EndInprocDebugging(uint32_t dwProfilerContext) = 0;
  virtual HRESULT GetILToNativeMapping(FunctionID functionId, uint32_t cMap, uint32_t* pcMap,
                                       COR_DEBUG_IL_TO_NATIVE_MAP* map) = 0;

 protected:
  ~ICorProfilerInfo() = default;
};

class ICorProfilerInfo2 : public ICorProfilerInfo {
 public:
  static constexpr GUID kIid = guid("CC0935CD-A518-487d-B0BB-A93214E65478");

  virtual HRESULT DoStackSnapshot(ThreadID thread, StackSnapshotCallback* callback, uint32_t infoFlags,
                                  void* clientData, uint8_t* context, uint32_t contextSize) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks2(FunctionEnter2* pFuncEnter, FunctionLeave2* pFuncLeave,
                                              FunctionTailcall2* pFuncTailcall) = 0;
  virtual HRESULT GetFunctionInfo2(FunctionID funcId, COR_PRF_FRAME_INFO frameInfo, ClassID* pClassId,
                                   ModuleID* pModuleId, mdToken* pToken, uint32_t cTypeArgs,
                                   uint32_t* pcTypeArgs, ClassID* typeArgs) = 0;
  virtual HRESULT GetStringLayout(uint32_t* pBufferLengthOffset, uint32_t* pStringLengthOffset,
                                  uint32_t* pBufferOffset) = 0;
  virtual HRESULT GetClassLayout(ClassID classID, COR_FIELD_OFFSET* rFieldOffset, uint32_t cFieldOffset,
                                 uint32_t* pcFieldOffset, uint32_t* pulClassSize) = 0;
  virtual HRESULT GetClassIDInfo2(ClassID classId, ModuleID* pModuleId, mdTypeDef* pTypeDefToken,
                                  ClassID* pParentClassId, uint32_t cNumTypeArgs, uint32_t* pcNumTypeArgs,
                                  ClassID* typeArgs) = 0;
  virtual HRESULT GetCodeInfo2(FunctionID functionID, uint32_t cCodeInfos, uint32_t* pcCodeInfos,
                               COR_PRF_CODE_INFO* codeInfos) = 0;
  virtual HRESULT GetClassFromTokenAndTypeArgs(ModuleID moduleID, mdTypeDef typeDef, uint32_t cTypeArgs,
                                               ClassID* typeArgs, ClassID* pClassID) = 0;
  virtual HRESULT GetFunctionFromTokenAndTypeArgs(ModuleID moduleID, mdMethodDef funcDef, ClassID classId,
                                                  uint32_t cTypeArgs, ClassID* typeArgs,
                                                  FunctionID* pFunctionID) = 0;
  virtual HRESULT EnumModuleFrozenObjects(ModuleID moduleID, ICorProfilerObjectEnum** ppEnum) = 0;
  virtual HRESULT GetArrayObjectInfo(ObjectID objectId, uint32_t cDimensions, uint32_t* pDimensionSizes,
                                     int* pDimensionLowerBounds, uint8_t** ppData) = 0;
  virtual HRESULT GetBoxClassLayout(ClassID classId, uint32_t* pBufferOffset) = 0;
  virtual HRESULT GetThreadAppDomain(ThreadID threadId, AppDomainID* pAppDomainId) = 0;
  virtual HRESULT GetRVAStaticAddress(ClassID classId, mdFieldDef fieldToken, void** ppAddress) = 0;
  virtual HRESULT GetAppDomainStaticAddress(ClassID classId, mdFieldDef fieldToken, AppDomainID appDomainId,
                                            void** ppAddress) = 0;
  virtual HRESULT GetThreadStaticAddress(ClassID classId, mdFieldDef fieldToken, ThreadID threadId,
                                         void** ppAddress) = 0;
  virtual HRESULT GetContextStaticAddress(ClassID classId, mdFieldDef fieldToken, ContextID contextId,
                                          void** ppAddress) = 0;
  virtual HRESULT GetStaticFieldInfo(ClassID classId, mdFieldDef fieldToken,
                                     COR_PRF_STATIC_TYPE* pFieldInfo) = 0;
  virtual HRESULT GetGenerationBounds(uint32_t cObjectRanges, uint32_t* pcObjectRanges,
                                      COR_PRF_GC_GENERATION_RANGE* ranges) = 0;
  virtual HRESULT GetObjectGeneration(ObjectID objectId, COR_PRF_GC_GENERATION_RANGE* range) = 0;
  virtual HRESULT GetNotifiedExceptionClauseInfo(COR_PRF_EX_CLAUSE_INFO* pinfo) = 0;

 protected:
  ~ICorProfilerInfo2() = default;
};

class ICorProfilerInfo3 : public ICorProfilerInfo2 {
 public:
  static constexpr GUID kIid = guid("B555ED4F-452A-4E54-8B39-B5360BAD32A0");

  virtual HRESULT EnumJITedFunctions(ICorProfilerFunctionEnum** ppEnum) = 0;
  virtual HRESULT RequestProfilerDetach(uint32_t dwExpectedCompletionMilliseconds) = 0;
  virtual HRESULT SetFunctionIDMapper2(FunctionIDMapper2* pFunc, void* clientData) = 0;
  virtual HRESULT GetStringLayout2(uint32_t* pStringLengthOffset, uint32_t* pBufferOffset) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks3(FunctionEnter3* pFuncEnter3, FunctionLeave3* pFuncLeave3,
                                              FunctionTailcall3* pFuncTailcall3) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks3WithInfo(FunctionEnter3WithInfo* pFuncEnter3WithInfo,
                                                      FunctionLeave3WithInfo* pFuncLeave3WithInfo,
                                                      FunctionTailcall3WithInfo* pFuncTailcall3WithInfo) = 0;
  virtual HRESULT GetFunctionEnter3Info(FunctionID functionId, COR_PRF_ELT_INFO eltInfo,
                                        COR_PRF_FRAME_INFO* pFrameInfo, uint32_t* pcbArgumentInfo,
                                        COR_PRF_FUNCTION_ARGUMENT_INFO* pArgumentInfo) = 0;
  virtual HRESULT GetFunctionLeave3Info(FunctionID functionId, COR_PRF_ELT_INFO eltInfo,
                                        COR_PRF_FRAME_INFO* pFrameInfo,
                                        COR_PRF_FUNCTION_ARGUMENT_RANGE* pRetvalRange) = 0;
  virtual HRESULT GetFunctionTailcall3Info(FunctionID functionId, COR_PRF_ELT_INFO eltInfo,
                                           COR_PRF_FRAME_INFO* pFrameInfo) = 0;
  virtual HRESULT EnumModules(ICorProfilerModuleEnum** ppEnum) = 0;
  virtual HRESULT GetRuntimeInformation(uint16_t* pClrInstanceId, COR_PRF_RUNTIME_TYPE* pRuntimeType,
                                        uint16_t* pMajorVersion, uint16_t* pMinorVersion,
                                        uint16_t* pBuildNumber, uint16_t* pQFEVersion,
                                        uint32_t cchVersionString, uint32_t* pcchVersionString,
                                        WCHAR* szVersionString) = 0;
  virtual HRESULT GetThreadStaticAddress2(ClassID classId, mdFieldDef fieldToken, AppDomainID appDomainId,
                                          ThreadID threadId, void** ppAddress) = 0;
  virtual HRESULT GetAppDomainsContainingModule(ModuleID moduleId, uint32_t cAppDomainIds,
                                                uint32_t* pcAppDomainIds, AppDomainID* appDomainIds) = 0;
  virtual HRESULT GetModuleInfo2(ModuleID moduleId, const uint8_t** ppBaseLoadAddress, uint32_t cchName,
                                 uint32_t* pcchName, WCHAR* szName, AssemblyID* pAssemblyId,
                                 uint32_t* pdwModuleFlags) = 0;

 protected:
  ~ICorProfilerInfo3() = default;
};

class ICorProfilerInfo4 : public ICorProfilerInfo3 {
 public:
  static constexpr GUID kIid = guid("0d8fdcaa-6257-47bf-b1bf-94dac88466ee");

  virtual HRESULT EnumThreads(ICorProfilerThreadEnum** ppEnum) = 0;
  virtual HRESULT InitializeCurrentThread() = 0;
  virtual HRESULT RequestReJIT(uint32_t cFunctions, ModuleID* moduleIds, mdMethodDef* methodIds) = 0;
  virtual HRESULT RequestRevert(uint32_t cFunctions, ModuleID* moduleIds, mdMethodDef* methodIds,
                                HRESULT* status) = 0;
  virtual HRESULT GetCodeInfo3(FunctionID functionID, ReJITID reJitId, uint32_t cCodeInfos,
                               uint32_t* pcCodeInfos, COR_PRF_CODE_INFO* codeInfos) = 0;
  virtual HRESULT GetFunctionFromIP2(const uint8_t* ip, FunctionID* pFunctionId, ReJITID* pReJitId) = 0;
  virtual HRESULT GetReJITIDs(FunctionID functionId, uint32_t cReJitIds, uint32_t* pcReJitIds,
                              ReJITID* reJitIds) = 0;
  virtual HRESULT GetILToNativeMapping2(FunctionID functionId, ReJITID reJitId, uint32_t cMap,
                                        uint32_t* pcMap, COR_DEBUG_IL_TO_NATIVE_MAP* map) = 0;
  // NOLINTNEXTLINE(bugprone-virtual-near-miss)
  virtual HRESULT EnumJITedFunctions2(ICorProfilerFunctionEnum** ppEnum) = 0;
  virtual HRESULT GetObjectSize2(ObjectID objectId, size_t* pcSize) = 0;

 protected:
  ~ICorProfilerInfo4() = default;
};

class ICorProfilerInfo5 : public ICorProfilerInfo4 {
 public:
  static constexpr GUID kIid = guid("07602928-CE38-4B83-81E7-74ADAF781214");

  virtual HRESULT GetEventMask2(uint32_t* pdwEventsLow, uint32_t* pdwEventsHigh) = 0;
  virtual HRESULT SetEventMask2(uint32_t dwEventsLow, uint32_t dwEventsHigh) = 0;

 protected:
  ~ICorProfilerInfo5() = default;
};

class ICorProfilerInfo6 : public ICorProfilerInfo5 {
 public:
  static constexpr GUID kIid = guid("F30A070D-BFFB-46A7-B1D8-8781EF7B698A");

  virtual HRESULT EnumNgenModuleMethodsInliningThisMethod(ModuleID inlinersModuleId, ModuleID inlineeModuleId,
                                                          mdMethodDef inlineeMethodId, BOOL* incompleteData,
                                                          ICorProfilerMethodEnum** ppEnum) = 0;

 protected:
  ~ICorProfilerInfo6() = default;
};

class ICorProfilerInfo7 : public ICorProfilerInfo6 {
 public:
  static constexpr GUID kIid = guid("9AEECC0D-63E0-4187-8C00-E312F503F663");

  virtual HRESULT ApplyMetaData(ModuleID moduleId) = 0;
  virtual HRESULT GetInMemorySymbolsLength(ModuleID moduleId, uint32_t* pCountSymbolBytes) = 0;
  virtual HRESULT ReadInMemorySymbols(ModuleID moduleId, uint32_t symbolsReadOffset, uint8_t* pSymbolBytes,
                                      uint32_t countSymbolBytes, uint32_t* pCountSymbolBytesRead) = 0;

 protected:
  ~ICorProfilerInfo7() = default;
};

class ICorProfilerInfo8 : public ICorProfilerInfo7 {
 public:
  static constexpr GUID kIid = guid("C5AC80A6-782E-4716-8044-39598C60CFBF");

  virtual HRESULT IsFunctionDynamic(FunctionID functionId, BOOL* isDynamic) = 0;
  virtual HRESULT GetFunctionFromIP3(const uint8_t* ip, FunctionID* functionId, ReJITID* pReJitId) = 0;
  virtual HRESULT GetDynamicFunctionInfo(FunctionID functionId, ModuleID* moduleId, PCCOR_SIGNATURE* ppvSig,
                                         uint32_t* pbSig, uint32_t cchName, uint32_t* pcchName,
                                         WCHAR* wszName) = 0;

 protected:
  ~ICorProfilerInfo8() = default;
};

class ICorProfilerInfo9 : public ICorProfilerInfo8 {
 public:
  static constexpr GUID kIid = guid("008170DB-F8CC-4796-9A51-DC8AA0B47012");

  virtual HRESULT GetNativeCodeStartAddresses(FunctionID functionID, ReJITID reJitId,
                                              uint32_t cCodeStartAddresses, uint32_t* pcCodeStartAddresses,
                                              uintptr_t* codeStartAddresses) = 0;
  virtual HRESULT GetILToNativeMapping3(uintptr_t pNativeCodeStartAddress, uint32_t cMap, uint32_t* pcMap,
                                        COR_DEBUG_IL_TO_NATIVE_MAP* map) = 0;
  virtual HRESULT GetCodeInfo4(uintptr_t pNativeCodeStartAddress, uint32_t cCodeInfos, uint32_t* pcCodeInfos,
                               COR_PRF_CODE_INFO* codeInfos) = 0;

 protected:
  ~ICorProfilerInfo9() = default;
};

class ICorProfilerInfo10 : public ICorProfilerInfo9 {
 public:
  static constexpr GUID kIid = guid("2F1B5152-C869-40C9-AA5F-3ABE026BD720");

  virtual HRESULT EnumerateObjectReferences(ObjectID objectId, ObjectReferenceCallback callback,
                                            void* clientData) = 0;
  virtual HRESULT IsFrozenObject(ObjectID objectId, BOOL* pbFrozen) = 0;
  virtual HRESULT GetLOHObjectSizeThreshold(uint32_t* pThreshold) = 0;
  virtual HRESULT RequestReJITWithInliners(uint32_t dwRejitFlags, uint32_t cFunctions, ModuleID* moduleIds,
                                           mdMethodDef* methodIds) = 0;
  virtual HRESULT SuspendRuntime() = 0;
  virtual HRESULT ResumeRuntime() = 0;

 protected:
  ~ICorProfilerInfo10() = default;
};

class ICorProfilerInfo11 : public ICorProfilerInfo10 {
 public:
  static constexpr GUID kIid = guid("06398876-8987-4154-B621-40A00D6E4D04");

  virtual HRESULT GetEnvironmentVariable(const WCHAR* szName, uint32_t cchValue, uint32_t* pcchValue,
                                         WCHAR* szValue) = 0;
  virtual HRESULT SetEnvironmentVariable(const WCHAR* szName, const WCHAR* szValue) = 0;

 protected:
  ~ICorProfilerInfo11() = default;
};

class ICorProfilerInfo12 : public ICorProfilerInfo11 {
 public:
  static constexpr GUID kIid = guid("27b24ccd-1cb1-47c5-96ee-98190dc30959");

  virtual HRESULT EventPipeStartSession(uint32_t cProviderConfigs,
                                        COR_PRF_EVENTPIPE_PROVIDER_CONFIG* pProviderConfigs,
                                        BOOL requestRundown, EVENTPIPE_SESSION* pSession) = 0;
  virtual HRESULT EventPipeAddProviderToSession(EVENTPIPE_SESSION session,
                                                COR_PRF_EVENTPIPE_PROVIDER_CONFIG providerConfig) = 0;
  virtual HRESULT EventPipeStopSession(EVENTPIPE_SESSION session) = 0;
  virtual HRESULT EventPipeCreateProvider(const WCHAR* providerName, EVENTPIPE_PROVIDER* pProvider) = 0;
  virtual HRESULT EventPipeGetProviderInfo(EVENTPIPE_PROVIDER provider, uint32_t cchName, uint32_t* pcchName,
                                           WCHAR* providerName) = 0;
  virtual HRESULT EventPipeDefineEvent(EVENTPIPE_PROVIDER provider, const WCHAR* eventName, uint32_t eventID,
                                       uint64_t keywords, uint32_t eventVersion, uint32_t level,
                                       uint8_t opcode, BOOL needStack, uint32_t cParamDescs,
                                       COR_PRF_EVENTPIPE_PARAM_DESC* pParamDescs,
                                       EVENTPIPE_EVENT* pEvent) = 0;
  virtual HRESULT EventPipeWriteEvent(EVENTPIPE_EVENT event, uint32_t cData, COR_PRF_EVENT_DATA* data,
                                      const GUID* pActivityId, const GUID* pRelatedActivityId) = 0;

 protected:
  ~ICorProfilerInfo12() = default;
};

class ICorProfilerInfo13 : public ICorProfilerInfo12 {
 public:
  static constexpr GUID kIid = guid("6E6C7EE2-0701-4EC2-9D29-2E8733B66934");

  virtual HRESULT CreateHandle(ObjectID object, COR_PRF_HANDLE_TYPE type, ObjectHandleID* pHandle) = 0;
  virtual HRESULT DestroyHandle(ObjectHandleID handle) = 0;
  virtual HRESULT GetObjectIDFromHandle(ObjectHandleID handle, ObjectID* pObject) = 0;

 protected:
  ~ICorProfilerInfo13() = default;
};

class ICorProfilerInfo14 : public ICorProfilerInfo13 {
 public:
  static constexpr GUID kIid = guid("F460E352-D76D-4FE9-835F-F6AF9D6E862D");

  virtual HRESULT EnumerateNonGCObjects(ICorProfilerObjectEnum** ppEnum) = 0;
  virtual HRESULT GetNonGCHeapBounds(uint32_t cObjectRanges, uint32_t* pcObjectRanges,
                                     COR_PRF_NONGC_HEAP_RANGE* ranges) = 0;
  virtual HRESULT EventPipeCreateProvider2(const WCHAR* providerName, EventPipeProviderCallback* pCallback,
                                           EVENTPIPE_PROVIDER* pProvider) = 0;

 protected:
  ~ICorProfilerInfo14() = default;
};

class ICorProfilerInfo15 : public ICorProfilerInfo14 {
 public:
  static constexpr GUID kIid = guid("B446462D-BD22-41DD-872D-DC714C49EB56");

  virtual HRESULT EnumerateGCHeapObjects(ObjectCallback callback, void* callbackState) = 0;

 protected:
  ~ICorProfilerInfo15() = default;
};

}  // namespace walkabout::clr
