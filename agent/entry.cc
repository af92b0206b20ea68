// How the CLR finds the profiler: the two functions of an in-process COM server. Source: the profiling API's
// loader (src/coreclr/vm/profilinghelper.cpp): DllGetClassObject → IClassFactory → ICorProfilerCallback.
#include "agent/make_profiler.h"
#include "clr/class_factory.h"
#include "wire/agent_id.h"

namespace {

using namespace walkabout;

class Factory : public clr::IClassFactory {
 public:
  clr::HRESULT QueryInterface(const clr::GUID& riid, void** object) override {
    if (riid != clr::IUnknown::kIid && riid != clr::IClassFactory::kIid) return clr::E_NOINTERFACE;
    *object = this;
    return clr::S_OK;
  }
  uint32_t AddRef() override { return 1; }
  uint32_t Release() override { return 1; }
  clr::HRESULT CreateInstance(clr::IUnknown* outer, const clr::GUID& riid, void** object) override {
    if (outer != nullptr) return clr::CLASS_E_NOAGGREGATION;
    // Never freed: ticks may be in flight until the process ends.
    static auto* profiler = agent::make_profiler();
    return profiler->QueryInterface(riid, object);
  }
  clr::HRESULT LockServer(clr::BOOL) override { return clr::S_OK; }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllGetClassObject(const clr::GUID& clsid,
                                                                                 const clr::GUID& riid,
                                                                                 void** object) {
  if (clsid != clr::guid(wire::kAgentClsid)) return clr::CLASS_E_CLASSNOTAVAILABLE;
  static auto* factory = new Factory;
  return factory->QueryInterface(riid, object);
}

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllCanUnloadNow() { return clr::S_FALSE; }
