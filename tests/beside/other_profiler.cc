// A profiler of somebody else's: for the main slot (CORECLR_PROFILER) or, with OTHER_NOTIFIED=1, one that is
// only notified. As an APM agent it may rewrite code (and so asks for ReJIT), and has a session of the
// runtime's events of its own, with other events in it than ours. It says in one line on stderr at the end
// what it was told.
#include <stdio.h>
#include <stdlib.h>

#include <atomic>
#include <cstdint>

#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/enums.h"
#include "clr/abi/hresults.h"
#include "clr/abi/info.h"
#include "clr/abi/profiler_server.h"

namespace {

using namespace walkabout;

constexpr clr::GUID kClsid = clr::guid("5C3E63B4-0D52-4B4B-9E7E-3F1D2E7A90B1");
constexpr char16_t kRuntimeProvider[] = u"Microsoft-Windows-DotNETRuntime";
constexpr uint64_t kGcAndJit = 0x1 | 0x10;
constexpr uint32_t kVerbose = 5;

bool only_notified() { return ::getenv("OTHER_NOTIFIED") != nullptr; }

class OtherProfiler : public clr::CallbackBase {
 public:
  clr::HRESULT LoadAsNotificationOnly(clr::BOOL* answer) override {
    *answer = only_notified() ? 1 : 0;
    return clr::S_OK;
  }

  clr::HRESULT Initialize(clr::IUnknown* unknown) override {
    void* newest = nullptr;
    if (clr::failed(unknown->QueryInterface(clr::ICorProfilerInfo12::kIid, &newest))) return clr::E_FAIL;
    info_ = clr::ComPtr<clr::ICorProfilerInfo12>::adopt(static_cast<clr::ICorProfilerInfo12*>(newest));
    clr::COR_PRF_EVENTPIPE_PROVIDER_CONFIG provider{kRuntimeProvider, kGcAndJit, kVerbose, nullptr};
    clr::EVENTPIPE_SESSION session = 0;
    const uint32_t rewrites = only_notified() ? 0u : uint32_t{clr::COR_PRF_ENABLE_REJIT};
    const clr::HRESULT hr = info_->SetEventMask2(clr::COR_PRF_MONITOR_JIT_COMPILATION | rewrites,
                                                 clr::COR_PRF_HIGH_MONITOR_EVENT_PIPE);
    return clr::failed(hr) ? hr : info_->EventPipeStartSession(1, &provider, 0, &session);
  }

  clr::HRESULT JITCompilationFinished(clr::FunctionID, clr::HRESULT, clr::BOOL) override {
    compiled_.fetch_add(1, std::memory_order_relaxed);
    return clr::S_OK;
  }

  clr::HRESULT EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER, uint32_t, uint32_t, uint32_t, const uint8_t*,
                                       uint32_t, const uint8_t*, const clr::GUID*, const clr::GUID*,
                                       clr::ThreadID, uint32_t, uintptr_t*) override {
    events_.fetch_add(1, std::memory_order_relaxed);
    return clr::S_OK;
  }

  clr::HRESULT Shutdown() override {
    ::fprintf(stderr, "%s profiler: %u compiled, %u events\n", only_notified() ? "notified" : "main",
              compiled_.load(), events_.load());
    return clr::S_OK;
  }

 private:
  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  std::atomic<uint32_t> compiled_{0};
  std::atomic<uint32_t> events_{0};
};

clr::IUnknown* make() { return new OtherProfiler; }

}  // namespace

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllGetClassObject(const clr::GUID& clsid,
                                                                                 const clr::GUID& riid,
                                                                                 void** object) {
  return clr::serve_profiler<make>(kClsid, clsid, riid, object);
}
