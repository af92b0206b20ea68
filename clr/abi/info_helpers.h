// Objects that ICorProfilerInfo and ICorProfilerCallback hand out: enumerators, allocators, controls.
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

class ICorProfilerObjectEnum : public IUnknown {
 public:
  static constexpr GUID kIid = guid("2C6269BD-2D13-4321-AE12-6686365FD6AF");

  virtual HRESULT Skip(uint32_t celt) = 0;
  virtual HRESULT Reset() = 0;
  virtual HRESULT Clone(ICorProfilerObjectEnum** ppEnum) = 0;
  virtual HRESULT GetCount(uint32_t* pcelt) = 0;
  virtual HRESULT Next(uint32_t celt, ObjectID* objects, uint32_t* pceltFetched) = 0;

 protected:
  ~ICorProfilerObjectEnum() = default;
};

class ICorProfilerFunctionEnum : public IUnknown {
 public:
  static constexpr GUID kIid = guid("FF71301A-B994-429D-A10B-B345A65280EF");

  virtual HRESULT Skip(uint32_t celt) = 0;
  virtual HRESULT Reset() = 0;
  virtual HRESULT Clone(ICorProfilerFunctionEnum** ppEnum) = 0;
  virtual HRESULT GetCount(uint32_t* pcelt) = 0;
  virtual HRESULT Next(uint32_t celt, COR_PRF_FUNCTION* ids, uint32_t* pceltFetched) = 0;

 protected:
  ~ICorProfilerFunctionEnum() = default;
};

class ICorProfilerModuleEnum : public IUnknown {
 public:
  static constexpr GUID kIid = guid("b0266d75-2081-4493-af7f-028ba34db891");

  virtual HRESULT Skip(uint32_t celt) = 0;
  virtual HRESULT Reset() = 0;
  virtual HRESULT Clone(ICorProfilerModuleEnum** ppEnum) = 0;
  virtual HRESULT GetCount(uint32_t* pcelt) = 0;
  virtual HRESULT Next(uint32_t celt, ModuleID* ids, uint32_t* pceltFetched) = 0;

 protected:
  ~ICorProfilerModuleEnum() = default;
};

class ICorProfilerMethodEnum : public IUnknown {
 public:
  static constexpr GUID kIid = guid("FCCEE788-0088-454B-A811-C99F298D1942");

  virtual HRESULT Skip(uint32_t celt) = 0;
  virtual HRESULT Reset() = 0;
  virtual HRESULT Clone(ICorProfilerMethodEnum** ppEnum) = 0;
  virtual HRESULT GetCount(uint32_t* pcelt) = 0;
  virtual HRESULT Next(uint32_t celt, COR_PRF_METHOD* elements, uint32_t* pceltFetched) = 0;

 protected:
  ~ICorProfilerMethodEnum() = default;
};

class ICorProfilerThreadEnum : public IUnknown {
 public:
  static constexpr GUID kIid = guid("571194f7-25ed-419f-aa8b-7016b3159701");

  virtual HRESULT Skip(uint32_t celt) = 0;
  virtual HRESULT Reset() = 0;
  virtual HRESULT Clone(ICorProfilerThreadEnum** ppEnum) = 0;
  virtual HRESULT GetCount(uint32_t* pcelt) = 0;
  virtual HRESULT Next(uint32_t celt, ThreadID* ids, uint32_t* pceltFetched) = 0;

 protected:
  ~ICorProfilerThreadEnum() = default;
};

class IMethodMalloc : public IUnknown {
 public:
  static constexpr GUID kIid = guid("A0EFB28B-6EE2-4d7b-B983-A75EF7BEEDB8");

  virtual void* Alloc(uint32_t cb) = 0;

 protected:
  ~IMethodMalloc() = default;
};

class ICorProfilerFunctionControl : public IUnknown {
 public:
  static constexpr GUID kIid = guid("F0963021-E1EA-4732-8581-E01B0BD3C0C6");

  virtual HRESULT SetCodegenFlags(uint32_t flags) = 0;
  virtual HRESULT SetILFunctionBody(uint32_t cbNewILMethodHeader, const uint8_t* pbNewILMethodHeader) = 0;
  virtual HRESULT SetILInstrumentedCodeMap(uint32_t cILMapEntries, COR_IL_MAP* rgILMapEntries) = 0;

 protected:
  ~ICorProfilerFunctionControl() = default;
};

class ICorProfilerAssemblyReferenceProvider : public IUnknown {
 public:
  static constexpr GUID kIid = guid("66A78C24-2EEF-4F65-B45F-DD1D8038BF3C");

  virtual HRESULT AddAssemblyReference(const COR_PRF_ASSEMBLY_REFERENCE_INFO* pAssemblyRefInfo) = 0;

 protected:
  ~ICorProfilerAssemblyReferenceProvider() = default;
};

}  // namespace walkabout::clr
