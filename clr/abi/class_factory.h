// COM's two root interfaces: what DllGetClassObject hands out and what everything else derives from.
//
// Layout: on System V x64 and in mingw the Itanium C++ vtable of a class with only pure virtual functions and
// single inheritance is COM's: one pointer at offset 0 to the functions in order of declaration. So no
// interface here may have a virtual destructor, a data member or a second base; code that uses them is built
// with -fno-rtti. Thread rule: AddRef and Release may be called from any thread.
#pragma once

#include "clr/abi/types.h"

namespace walkabout::clr {

class IUnknown {
 public:
  static constexpr GUID kIid = guid("00000000-0000-0000-C000-000000000046");

  virtual HRESULT QueryInterface(const GUID& riid, void** object) = 0;
  virtual uint32_t AddRef() = 0;
  virtual uint32_t Release() = 0;

 protected:
  ~IUnknown() = default;  // nobody deletes through an interface
};

class IClassFactory : public IUnknown {
 public:
  static constexpr GUID kIid = guid("00000001-0000-0000-C000-000000000046");

  virtual HRESULT CreateInstance(IUnknown* outer, const GUID& riid, void** object) = 0;
  virtual HRESULT LockServer(BOOL lock) = 0;

 protected:
  ~IClassFactory() = default;
};

}  // namespace walkabout::clr
