// Tells the registry of jitted code by the CLR's JIT callbacks, on the compiling thread, before the code
// first runs.
//
// Not by EventPipe's events, as on Linux: on Windows a session with the JIT keyword makes .NET 10.0.12 keep a
// table of unwind data for ETW, and it crashes when a dynamic method is freed (UnpublishUnwindInfoForMethod
// reads a code header that is cleared already; seen under Wine). The tier of a body is not known this way.
#pragma once

#include <mutex>
#include <unordered_map>

#include "agent/code_registry.h"
#include "clr/info.h"

namespace walkabout::agent {

class JitCode {
 public:
  JitCode(clr::ICorProfilerInfo12* info, CodeRegistry& registry) : info_(info), registry_(registry) {}
  // dynamic: a DynamicMethod or a stub, whose name must be taken now.
  void compiled(clr::FunctionID function, bool dynamic);
  void unloaded(clr::FunctionID function);

 private:
  void add(clr::FunctionID function, uint64_t start, std::shared_ptr<const clr::MethodName> name);

  clr::ICorProfilerInfo12* info_;
  CodeRegistry& registry_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, clr::FunctionID> known_;  // by start
};

}  // namespace walkabout::agent
