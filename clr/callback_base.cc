// Made by clr/generate.py from clr/abi.json; change those and run it.
#include "clr/callback_base.h"

namespace walkabout::clr {

HRESULT CallbackBase::QueryInterface(const GUID& riid, void** object) {
  if (object == nullptr) return E_POINTER;
  static constexpr GUID kKnown[] = {
      IUnknown::kIid,
      ICorProfilerCallback::kIid,
      ICorProfilerCallback2::kIid,
      ICorProfilerCallback3::kIid,
      ICorProfilerCallback4::kIid,
      ICorProfilerCallback5::kIid,
      ICorProfilerCallback6::kIid,
      ICorProfilerCallback7::kIid,
      ICorProfilerCallback8::kIid,
      ICorProfilerCallback9::kIid,
      ICorProfilerCallback10::kIid,
      ICorProfilerCallback11::kIid,
  };
  for (const GUID& known : kKnown) {
    if (riid == known) {
      *object = static_cast<ICorProfilerCallback11*>(this);
      AddRef();
      return S_OK;
    }
  }
  *object = nullptr;
  return E_NOINTERFACE;
}

}  // namespace walkabout::clr
