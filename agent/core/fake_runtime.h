// For tests: a CLR that lets itself be profiled, refuses whatever it is asked then, and counts it. A test can
// stand in the middle of a call. Calls may come from any thread, but not from a signal handler.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/mutex.h"
#include "clr/abi/null_info.h"

namespace walkabout::agent::testing {

class FakeRuntime : public clr::NullICorProfilerInfo15 {
 public:
  explicit FakeRuntime(clr::HRESULT answer) : answer_(answer) {}

  // On the asking thread, before it has its answer. Set it before the first call.
  std::function<void()> in_call;

  clr::HRESULT QueryInterface(const clr::GUID& riid, void** object) override {
    if (riid != clr::ICorProfilerInfo12::kIid) return NullICorProfilerInfo15::QueryInterface(riid, object);
    *object = static_cast<clr::ICorProfilerInfo12*>(this);
    AddRef();
    return clr::S_OK;
  }
  clr::HRESULT SetEventMask2(uint32_t, uint32_t) override {
    static_cast<void>(not_overridden("SetEventMask2"));
    return clr::S_OK;
  }
  clr::HRESULT not_overridden(const char* method) override {
    {
      const base::Lock lock(mutex_);
      ++counts_[method];
    }
    if (in_call) in_call();
    return answer_;
  }

  std::map<std::string, uint32_t> counts() const {
    const base::Lock lock(mutex_);
    return counts_;
  }
  uint32_t count(const char* method) const {
    const base::Lock lock(mutex_);
    const auto it = counts_.find(method);
    return it == counts_.end() ? 0 : it->second;
  }

 private:
  const clr::HRESULT answer_;
  mutable base::Mutex mutex_;
  std::map<std::string, uint32_t> counts_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent::testing
