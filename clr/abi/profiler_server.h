// The in-process COM server that a profiler's library is: what its DllGetClassObject answers. The one
// profiler is made when the CLR first asks for it and is never freed: ticks may be in flight until the
// process ends. Any thread. Source: the profiling API's loader (src/coreclr/vm/profilinghelper.cpp):
// DllGetClassObject → IClassFactory → ICorProfilerCallback.
#pragma once

#include "clr/abi/class_factory.h"

namespace walkabout::clr {

template <IUnknown* (*kMakeProfiler)()>
class ProfilerFactory : public IClassFactory {
 public:
  HRESULT QueryInterface(const GUID& riid, void** object) override {
    if (riid != IUnknown::kIid && riid != IClassFactory::kIid) return E_NOINTERFACE;
    *object = this;
    return S_OK;
  }
  uint32_t AddRef() override { return 1; }
  uint32_t Release() override { return 1; }
  HRESULT CreateInstance(IUnknown* outer, const GUID& riid, void** object) override {
    if (outer != nullptr) return CLASS_E_NOAGGREGATION;
    static IUnknown* const profiler = kMakeProfiler();
    return profiler->QueryInterface(riid, object);
  }
  HRESULT LockServer(BOOL) override { return S_OK; }
};

template <IUnknown* (*kMakeProfiler)()>
HRESULT serve_profiler(const GUID& own_clsid, const GUID& clsid, const GUID& riid, void** object) {
  if (clsid != own_clsid) return CLASS_E_CLASSNOTAVAILABLE;
  static auto* const factory = new ProfilerFactory<kMakeProfiler>;
  return factory->QueryInterface(riid, object);
}

}  // namespace walkabout::clr
