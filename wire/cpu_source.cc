#include "wire/records.h"

namespace walkabout::wire {

Source cpu_source(const Session& session) {
  Source cpu;
  cpu.id = kCpuSource;
  cpu.name = "cpu";
  cpu.values = {{"cpu time", "nanoseconds", Adding::kSum}};
  cpu.clock = static_cast<uint32_t>(Clock::kThreadCpu);
  cpu.period = session.interval_ns;
  return cpu;
}

}  // namespace walkabout::wire
