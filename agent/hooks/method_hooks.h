// The runtime's own way to tell of calls (`walkabout trace --all`): each method that is compiled calls the
// stubs of hook_stubs.h where it begins and ends. What an exception leaves has no end of its own: the runtime
// says apart from that which frames it unwinds.
//
// With the events of hooks the runtime uses no precompiled code, and nothing is inlined: so each call of each
// method with IL is seen, but those of dynamic methods and of the runtime's stubs. Only a profiler in the
// main slot of a program that starts can have them. Source: ICorProfilerInfo3::SetEnterLeaveFunctionHooks3.
//
// set(): while the profiler is initialized. The events of exceptions: callbacks, on the thread that they are
// of. methods().emit(): the spooler.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/hooks/hooked_methods.h"
#include "base/result.h"
#include "clr/abi/enums.h"
#include "clr/abi/info.h"
#include "wire/method_pattern.h"

namespace walkabout::agent {

class Hooks {
 public:
  // What the runtime is asked for with them.
  static constexpr uint32_t kEvents =
      clr::COR_PRF_MONITOR_ENTERLEAVE | clr::COR_PRF_MONITOR_EXCEPTIONS | clr::COR_PRF_DISABLE_INLINING;

  Hooks(clr::ICorProfilerInfo12* info, std::vector<wire::MethodPattern> patterns)
      : info_(info), methods_(info, std::move(patterns)) {}
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;

  // REQUIRES: the events are set. From here on the runtime asks this object, as long as the process lives.
  base::Status set();
  HookedMethods& methods() { return methods_; }

  void unwind_begins(clr::FunctionID function);
  void unwind_ends();
  void is_caught_by(clr::FunctionID function);
  void filter_begins();
  void filter_ends();

 private:
  uint32_t method_of(clr::FunctionID function);

  clr::ICorProfilerInfo12* const info_;
  HookedMethods methods_;
};

}  // namespace walkabout::agent
