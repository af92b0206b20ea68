// The scalar types of the CLR's profiling and metadata interfaces, as this project spells them, and the COM
// result codes. Plain values, no thread rule. Integers of the IDL are <cstdint> types here: ULONG, DWORD and
// ULONG32 are uint32_t, WCHAR is a UTF-16 code unit. Ids are opaque and pointer-sized. Facts:
// clr/abi/abi.json (typedefs, hresults).
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::clr {

struct GUID {
  uint32_t data1 = 0;
  uint16_t data2 = 0;
  uint16_t data3 = 0;
  uint8_t data4[8] = {};
  constexpr bool operator==(const GUID&) const = default;
};
static_assert(sizeof(GUID) == 16 && alignof(GUID) == 4);

namespace internal {
constexpr uint64_t hex(const char* text, int digits) {
  uint64_t value = 0;
  for (int i = 0; i < digits; ++i) {
    const char c = text[i];
    const bool decimal = c >= '0' && c <= '9';
    value = value << 4 | static_cast<uint64_t>(decimal ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}
}  // namespace internal

// guid("28B5557D-3F3F-48b4-90B2-5F9EEA2F6C48"): the registry form, in either case of letters.
consteval GUID guid(const char (&text)[37]) {
  GUID id;
  id.data1 = static_cast<uint32_t>(internal::hex(text, 8));
  id.data2 = static_cast<uint16_t>(internal::hex(text + 9, 4));
  id.data3 = static_cast<uint16_t>(internal::hex(text + 14, 4));
  for (int i = 0; i < 8; ++i) {
    id.data4[i] = static_cast<uint8_t>(internal::hex(text + 19 + 2 * i + (i >= 2 ? 1 : 0), 2));
  }
  return id;
}

using HRESULT = int32_t;
using BOOL = int32_t;
using WCHAR = char16_t;

constexpr bool succeeded(HRESULT result) { return result >= 0; }
constexpr bool failed(HRESULT result) { return result < 0; }
constexpr HRESULT hresult(uint32_t bits) { return static_cast<HRESULT>(bits); }

inline constexpr HRESULT S_OK = 0;
inline constexpr HRESULT S_FALSE = 1;
inline constexpr HRESULT E_NOTIMPL = hresult(0x80004001);
inline constexpr HRESULT E_NOINTERFACE = hresult(0x80004002);
inline constexpr HRESULT E_POINTER = hresult(0x80004003);
inline constexpr HRESULT E_FAIL = hresult(0x80004005);
inline constexpr HRESULT E_OUTOFMEMORY = hresult(0x8007000E);
inline constexpr HRESULT E_INVALIDARG = hresult(0x80070057);
inline constexpr HRESULT CLASS_E_NOAGGREGATION = hresult(0x80040110);
inline constexpr HRESULT CLASS_E_CLASSNOTAVAILABLE = hresult(0x80040111);

// Metadata tokens: table number in the high byte (CorTokenType), row in the rest; row 0 is "nil".
using mdToken = uint32_t;
using mdModule = mdToken;
using mdModuleRef = mdToken;
using mdTypeRef = mdToken;
using mdTypeDef = mdToken;
using mdTypeSpec = mdToken;
using mdFieldDef = mdToken;
using mdMethodDef = mdToken;
using mdMethodSpec = mdToken;
using mdMemberRef = mdToken;
using mdParamDef = mdToken;
using mdInterfaceImpl = mdToken;
using mdCustomAttribute = mdToken;
using mdPermission = mdToken;
using mdSignature = mdToken;
using mdEvent = mdToken;
using mdProperty = mdToken;
using mdGenericParam = mdToken;
using mdGenericParamConstraint = mdToken;
using mdString = mdToken;
using mdAssembly = mdToken;
using mdAssemblyRef = mdToken;
using mdFile = mdToken;
using mdExportedType = mdToken;
using mdManifestResource = mdToken;

using CorElementType = uint32_t;  // ELEMENT_TYPE_*: clr/abi/element_type.h
using COR_SIGNATURE = uint8_t;
using PCOR_SIGNATURE = COR_SIGNATURE*;
using PCCOR_SIGNATURE = const COR_SIGNATURE*;
using HCORENUM = void*;  // an enumeration of IMetaDataImport under way; close it with CloseEnum
using UVCP_CONSTANT = const void*;
using MDUTF8CSTR = const char*;
using HANDLE = void*;

using ProcessID = uintptr_t;
using AssemblyID = uintptr_t;
using AppDomainID = uintptr_t;
using ModuleID = uintptr_t;
using ClassID = uintptr_t;
using ThreadID = uintptr_t;
using ContextID = uintptr_t;
using FunctionID = uintptr_t;
using ObjectID = uintptr_t;
using GCHandleID = uintptr_t;
using ObjectHandleID = void**;
using ReJITID = uintptr_t;
using COR_PRF_ELT_INFO = uintptr_t;
using COR_PRF_FRAME_INFO = uintptr_t;  // lives as long as the callback that brought it
using EVENTPIPE_PROVIDER = uintptr_t;
using EVENTPIPE_EVENT = uintptr_t;
using EVENTPIPE_SESSION = uint64_t;

}  // namespace walkabout::clr
