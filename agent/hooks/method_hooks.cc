#include "agent/hooks/method_hooks.h"

#include "agent/hooks/hook_calls.h"
#include "agent/hooks/hook_stubs.h"
#include "agent/hooks/unwound_frames.h"

namespace walkabout::agent {
namespace {

constinit thread_local UnwoundFrames t_unwound;

uintptr_t ask_for_method(clr::FunctionID function, void* hooks, clr::BOOL* hook) {
  const std::optional<uint32_t> index = static_cast<Hooks*>(hooks)->methods().map(function);
  *hook = index ? 1 : 0;
  return index.value_or(0);
}

// The runtime's type of a stub, which is called by a convention of its own.
clr::FunctionEnter3* stub(void (*routine)()) { return reinterpret_cast<clr::FunctionEnter3*>(routine); }

}  // namespace

base::Status Hooks::set() {
  if (clr::failed(info_->SetFunctionIDMapper2(ask_for_method, this)) ||
      clr::failed(info_->SetEnterLeaveFunctionHooks3(stub(walkabout_hook_enter), stub(walkabout_hook_leave),
                                                     stub(walkabout_hook_tail_call))))
    return base::Status::error("the runtime refused the hooks of all methods");
  return {};
}

uint32_t Hooks::method_of(clr::FunctionID function) {
  return methods_.index_of(function).value_or(UnwoundFrames::kUnknownMethod);
}

void Hooks::unwind_begins(clr::FunctionID function) { t_unwound.begins(method_of(function), hooked_depth()); }

void Hooks::unwind_ends() {
  const uint32_t method = t_unwound.ends(hooked_depth());
  if (method != UnwoundFrames::kUnknownMethod) hooked_unwound(method);
}

void Hooks::is_caught_by(clr::FunctionID function) {
  t_unwound.is_caught_by(method_of(function), hooked_depth());
}

void Hooks::filter_begins() { t_unwound.filter_begins(hooked_depth()); }
void Hooks::filter_ends() { t_unwound.filter_ends(); }

}  // namespace walkabout::agent
