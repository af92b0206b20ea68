// Structures that cross the profiling and metadata interfaces by value or pointer, and the function types
// they call back.
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include "clr/abi/enums.h"
#include "clr/abi/types.h"

namespace walkabout::clr {

struct OSINFO {
  uint32_t dwOSPlatformId;
  uint32_t dwOSMajorVersion;
  uint32_t dwOSMinorVersion;
};

struct ASSEMBLYMETADATA {
  uint16_t usMajorVersion;
  uint16_t usMinorVersion;
  uint16_t usBuildNumber;
  uint16_t usRevisionNumber;
  WCHAR* szLocale;
  uint32_t cbLocale;
  uint32_t* rProcessor;
  uint32_t ulProcessor;
  OSINFO* rOS;
  uint32_t ulOS;
};

struct COR_IL_MAP {
  uint32_t oldOffset;
  uint32_t newOffset;
  BOOL fAccurate;
};

struct COR_DEBUG_IL_TO_NATIVE_MAP {
  uint32_t ilOffset;
  uint32_t nativeStartOffset;
  uint32_t nativeEndOffset;
};

struct COR_FIELD_OFFSET {
  mdFieldDef ridOfField;
  uint32_t ulOffset;
};

union FunctionIDOrClientID {
  FunctionID functionID;
  uintptr_t clientID;
};

struct COR_PRF_FUNCTION_ARGUMENT_RANGE {
  uintptr_t startAddress;
  uint32_t length;
};

struct COR_PRF_FUNCTION_ARGUMENT_INFO {
  uint32_t numRanges;
  uint32_t totalArgumentSize;
  COR_PRF_FUNCTION_ARGUMENT_RANGE ranges[1];
};

struct COR_PRF_CODE_INFO {
  uintptr_t startAddress;
  size_t size;
};

struct COR_PRF_FUNCTION {
  FunctionID functionId;
  ReJITID reJitId;
};

struct COR_PRF_ASSEMBLY_REFERENCE_INFO {
  void* pbPublicKeyOrToken;
  uint32_t cbPublicKeyOrToken;
  const WCHAR* szName;
  ASSEMBLYMETADATA* pMetaData;
  void* pbHashValue;
  uint32_t cbHashValue;
  uint32_t dwAssemblyRefFlags;
};

struct COR_PRF_METHOD {
  ModuleID moduleId;
  mdMethodDef methodId;
};

struct COR_PRF_EVENTPIPE_PROVIDER_CONFIG {
  const WCHAR* providerName;
  uint64_t keywords;
  uint32_t loggingLevel;
  const WCHAR* filterData;
};

struct COR_PRF_EVENTPIPE_PARAM_DESC {
  uint32_t type;
  uint32_t elementType;
  const WCHAR* name;
};

struct COR_PRF_EVENT_DATA {
  uint64_t ptr;
  uint32_t size;
  uint32_t reserved;
};

struct COR_PRF_FILTER_DATA {
  uint64_t Ptr;
  uint32_t Size;
  uint32_t Type;
};

struct COR_PRF_GC_GENERATION_RANGE {
  COR_PRF_GC_GENERATION generation;
  ObjectID rangeStart;
  uintptr_t rangeLength;
  uintptr_t rangeLengthReserved;
};

struct COR_PRF_NONGC_HEAP_RANGE {
  ObjectID rangeStart;
  uintptr_t rangeLength;
  uintptr_t rangeLengthReserved;
};

struct COR_PRF_EX_CLAUSE_INFO {
  COR_PRF_CLAUSE_TYPE clauseType;
  uintptr_t programCounter;
  uintptr_t framePointer;
  uintptr_t shadowStackPointer;
};

using FunctionIDMapper = uintptr_t(FunctionID funcId, BOOL* pbHookFunction);
using FunctionIDMapper2 = uintptr_t(FunctionID funcId, void* clientData, BOOL* pbHookFunction);
using FunctionEnter = void(FunctionID funcID);
using FunctionLeave = void(FunctionID funcID);
using FunctionTailcall = void(FunctionID funcID);
using FunctionEnter2 = void(FunctionID funcId, uintptr_t clientData, COR_PRF_FRAME_INFO func,
                            COR_PRF_FUNCTION_ARGUMENT_INFO* argumentInfo);
using FunctionLeave2 = void(FunctionID funcId, uintptr_t clientData, COR_PRF_FRAME_INFO func,
                            COR_PRF_FUNCTION_ARGUMENT_RANGE* retvalRange);
using FunctionTailcall2 = void(FunctionID funcId, uintptr_t clientData, COR_PRF_FRAME_INFO func);
using FunctionEnter3 = void(FunctionIDOrClientID functionIDOrClientID);
using FunctionLeave3 = void(FunctionIDOrClientID functionIDOrClientID);
using FunctionTailcall3 = void(FunctionIDOrClientID functionIDOrClientID);
using FunctionEnter3WithInfo = void(FunctionIDOrClientID functionIDOrClientID, COR_PRF_ELT_INFO eltInfo);
using FunctionLeave3WithInfo = void(FunctionIDOrClientID functionIDOrClientID, COR_PRF_ELT_INFO eltInfo);
using FunctionTailcall3WithInfo = void(FunctionIDOrClientID functionIDOrClientID, COR_PRF_ELT_INFO eltInfo);
using StackSnapshotCallback = HRESULT(FunctionID funcId, uintptr_t ip, COR_PRF_FRAME_INFO frameInfo,
                                      uint32_t contextSize, uint8_t* context, void* clientData);
using ObjectReferenceCallback = BOOL(ObjectID root, ObjectID* reference, void* clientData);

using EventPipeProviderCallback = void();  // opaque: cast to the documented signature
using ObjectCallback = BOOL(ObjectID object, void* callbackState);

}  // namespace walkabout::clr
