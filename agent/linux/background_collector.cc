#include "agent/linux/background_collector.h"

#include "agent/linux/proc_self.h"

namespace walkabout::agent {

bool BackgroundCollector::look(uint64_t now_ns) {
  constexpr char kName[] = ".NET BGC";
  uint64_t cpu_ns = 0;
  bool any = false;
  for (const pid_t tid : thread_ids()) {
    if (thread_name(tid) != kName) continue;
    any = true;
    cpu_ns += thread_cpu_ns(tid);
  }
  if (!any) return true;
  if (since_ns_ == 0 || cpu_ns != cpu_ns_) {
    cpu_ns_ = cpu_ns;
    since_ns_ = now_ns;
  }
  return now_ns - since_ns_ >= kStillNs;
}

}  // namespace walkabout::agent
