#include "agent/linux/calls/code_port.h"

#include <unistd.h>

#include "agent/linux/calls/ballast.h"
#include "agent/shared/code_port_server.h"
#include "clr/abi/enums.h"
#include "clr/abi/hresults.h"
#include "clr/abi/info_helpers.h"
#include "clr/abi/profiler_server.h"
#include "clr/names/runtime_info.h"
#include "wire/agent_id.h"

namespace walkabout::agent {
namespace {

constexpr useconds_t kPortWaitUs = 100;

constinit std::atomic<CodePort*> g_port{nullptr};

clr::IUnknown* make_port() { return new CodePort; }
clr::IUnknown* make_ballast() { return new Ballast; }

}  // namespace

CodePort* code_port() { return g_port.load(std::memory_order_acquire); }

clr::HRESULT serve_code_port(const clr::GUID& clsid, const clr::GUID& riid, void** object) {
  if (clsid == clr::guid(wire::kBallastClsid))
    return clr::serve_profiler<make_ballast>(clr::guid(wire::kBallastClsid), clsid, riid, object);
  return clr::serve_profiler<make_port>(clr::guid(wire::kCodePortClsid), clsid, riid, object);
}

clr::HRESULT CodePort::open(clr::IUnknown* info) {
  info_ = clr::newest_info(info);
  if (!info_) return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
  if (clr::failed(info_->SetEventMask2(clr::COR_PRF_ENABLE_REJIT, 0))) {
    info_.reset();
    return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
  }
  g_port.store(this, std::memory_order_release);  // partner: code_port()
  return clr::S_OK;
}

// Either use() sees that somebody asks, or who asks sees that there is nobody.
template <typename Call>
void CodePort::ask(Call call) {
  asking_.fetch_add(1);
  if (MethodRewriter* rewriter = rewriter_.load(); rewriter != nullptr) call(*rewriter);
  asking_.fetch_sub(1);
}

void CodePort::use(MethodRewriter* rewriter) {
  rewriter_.store(rewriter);
  while (rewriter == nullptr && asking_.load() != 0) ::usleep(kPortWaitUs);
}

clr::HRESULT CodePort::GetReJITParameters(clr::ModuleID module, clr::mdMethodDef method,
                                          clr::ICorProfilerFunctionControl* control) {
  ask([&](MethodRewriter& rewriter) { rewriter.rewrite(module, method, *control); });
  return clr::S_OK;
}

clr::HRESULT CodePort::ReJITError(clr::ModuleID module, clr::mdMethodDef method, clr::FunctionID,
                                  clr::HRESULT why) {
  ask([&](MethodRewriter& rewriter) { rewriter.refused(module, method, why); });
  return clr::S_OK;
}

}  // namespace walkabout::agent
