// Tells the registry of jitted code by the CLR's JIT callbacks, on the compiling thread, before the code
// first runs.
//
// Not by EventPipe's events, as on Linux: on Windows a session with the JIT keyword makes .NET 10.0.12 keep a
// table of unwind data for ETW, and it crashes when a dynamic method is freed (UnpublishUnwindInfoForMethod
// reads a code header that is cleared already; seen under Wine). The tier of the code is not known this way.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "agent/core/code_registry.h"
#include "base/mutex.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class JitCode {
 public:
  JitCode(clr::ICorProfilerInfo12* info, CodeRegistry& registry) : info_(info), registry_(registry) {}
  // dynamic: a DynamicMethod or a stub, whose name must be taken now.
  // Returns how many bytes of code are new: those of another version too, which another thread has compiled
  // and not reported yet.
  uint32_t compiled(clr::FunctionID function, bool dynamic);
  // Of a dynamic one.
  void unloaded(clr::FunctionID function);

 private:
  // Where its code goes away with a module: the CLR frees it with no word about its methods, and from then on
  // must not be asked for their names.
  struct Lifetime {
    clr::ModuleID module = 0;  // 0: with none
    bool generic = false;      // an instantiation, which may be over a type that goes away
  };
  Lifetime lifetime_of(clr::FunctionID function) const;
  clr::ModuleID collectible_among(std::span<const clr::ClassID> types, int depth) const;
  std::vector<uint64_t> new_compiled_methods(clr::FunctionID function) const;
  bool lies_in_image(uint64_t start) const;

  clr::ICorProfilerInfo12* info_;
  CodeRegistry& registry_;
  base::Mutex mutex_;
  std::unordered_map<clr::FunctionID, std::vector<uint64_t>> dynamic_
      WALKABOUT_GUARDED_BY(mutex_);  // the starts of its code
};

}  // namespace walkabout::agent
