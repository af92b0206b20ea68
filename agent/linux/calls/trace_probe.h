// Probes around the calls of chosen methods (traced_body.h), and what is traced with them
// (agent/trace/call_tracing.h).
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "agent/linux/calls/method_probe.h"
#include "agent/linux/calls/traced_body.h"
#include "agent/trace/call_tracing.h"
#include "base/mutex.h"
#include "clr/abi/com_ptr.h"
#include "il/signature_types.h"

namespace walkabout::agent {

class TraceProbe final : public MethodProbe {
 public:
  // tracing: has begun, is ended by stop(), and outlives this.
  TraceProbe(clr::ICorProfilerInfo12* info, CallTracing& tracing, uint64_t monotonic_start_ns)
      : info_(info), start_ns_(monotonic_start_ns), tracing_(tracing) {}

  bool enters_state_machines() const override { return true; }
  base::Status make_room(uint32_t methods) override;
  bool take_up(clr::ModuleID module, clr::IMetaDataEmit& metadata) override;
  std::string put_into(const ProbedMethod& method, il::Body* body) override;
  void emit(uint64_t time_us, size_t methods, std::string* records) override;
  void stop() override;

 private:
  struct Metadata;
  struct Module {
    TraceSignatures signatures;
    std::map<std::vector<uint8_t>, uint32_t> locals;  // tokens of those that there are
  };

  TraceSignatures signatures_of(clr::ModuleID module);
  il::Cause add_locals(const ProbedMethod& method, const Metadata& metadata, const il::Returned& returned,
                       il::Body* body, TraceLocals* locals);
  il::Cause set_locals(clr::ModuleID module, const Metadata& metadata, const il::Locals& all, il::Body* body);

  clr::ICorProfilerInfo12* const info_;
  const uint64_t start_ns_;  // of the recording
  base::Mutex emitting_;
  CallTracing& tracing_ WALKABOUT_GUARDED_BY(emitting_);
  std::string last_ WALKABOUT_GUARDED_BY(emitting_);  // records of the end
  bool stopped_ WALKABOUT_GUARDED_BY(emitting_) = false;
  base::Mutex mutex_;
  std::unordered_map<clr::ModuleID, Module> modules_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
