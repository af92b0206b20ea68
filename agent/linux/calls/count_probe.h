// A count at the beginning of each chosen method: a call of walkabout_count_call() (counted_call.h), or of
// what counts as that does and more (caller_counts.h).
#pragma once

#include <unordered_map>
#include <vector>

#include "agent/linux/calls/call_counters.h"
#include "agent/linux/calls/method_probe.h"
#include "base/mutex.h"

namespace walkabout::agent {

class CountProbe final : public MethodProbe {
 public:
  using Function = void (*)(uint64_t method);
  CountProbe(CallCounters& counters, Function function) : counters_(counters), function_(function) {}

  base::Status make_room(uint32_t methods) override { return counters_.make_room(methods); }
  bool take_up(clr::ModuleID module, clr::IMetaDataEmit& metadata) override;
  std::string put_into(const ProbedMethod& method, il::Body* body) override;
  void emit(uint64_t time_us, size_t methods, std::string* records) override;

 private:
  CallCounters& counters_;
  const Function function_;
  std::vector<uint64_t> emitted_;  // by method; the spooler's
  base::Mutex mutex_;
  std::unordered_map<clr::ModuleID, clr::mdSignature> signatures_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
