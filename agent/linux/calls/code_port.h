// The profiler that rewrites methods: the one in the runtime's main slot. Once a profiler has asked the
// runtime to compile a method again (RequestReJIT), it never leaves the process: RequestProfilerDetach is
// refused with CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT. So this one asks, and does nothing else: it
// stays when the agent, which is a notification profiler beside it, has left, and the next agent finds it
// there. A COM object of its own CLSID (wire/agent_id.h), in the same library.
//
// Sources: ICorProfilerInfo4::RequestReJIT, RequestRevert, ICorProfilerInfo10::RequestReJITWithInliners;
// measured on .NET 8, 9 and 10 (docs/design/count.md).
#pragma once

#include <atomic>
#include <cstdint>

#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

// Who says what methods become. Any thread, in the middle of the runtime, on the thread that compiles.
class MethodRewriter {
 public:
  // Of one that was asked for, or that had such a one inlined: leaves that as it is.
  virtual void rewrite(clr::ModuleID module, clr::mdMethodDef method,
                       clr::ICorProfilerFunctionControl& control) = 0;
  // The runtime would not: no code of it is rewritten.
  virtual void refused(clr::ModuleID module, clr::mdMethodDef method, clr::HRESULT why) = 0;

 protected:
  ~MethodRewriter() = default;
};

class CodePort : public clr::CallbackBase {
 public:
  clr::HRESULT Initialize(clr::IUnknown* info) override {
    came_with_program_ = true;
    return open(info);
  }
  clr::HRESULT InitializeForAttach(clr::IUnknown* info, void*, uint32_t) override { return open(info); }
  clr::HRESULT GetReJITParameters(clr::ModuleID module, clr::mdMethodDef method,
                                  clr::ICorProfilerFunctionControl* control) override;
  clr::HRESULT ReJITError(clr::ModuleID module, clr::mdMethodDef method, clr::FunctionID,
                          clr::HRESULT why) override;

  // Whom it asks from now on; null: nobody, and nobody is being asked any more when this returns. A rewriter
  // is not to wait for this one.
  void use(MethodRewriter* rewriter);
  // What methods are asked for by: a thread that runs no managed code, or a callback of the runtime's.
  clr::ICorProfilerInfo12* info() const { return info_.get(); }
  bool came_with_program() const { return came_with_program_; }

 private:
  clr::HRESULT open(clr::IUnknown* info);
  template <typename Call>
  void ask(Call call);

  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  std::atomic<MethodRewriter*> rewriter_{nullptr};
  std::atomic<uint32_t> asking_{0};
  bool came_with_program_ = false;  // written before it is anybody's
};

// The one that is in the runtime's slot; null: none is.
CodePort* code_port();

}  // namespace walkabout::agent
