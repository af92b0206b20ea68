#include "agent/sources/cpu.h"

#include "agent/sources/table.h"

namespace walkabout::agent {

std::unique_ptr<Source> make_cpu_source() { return std::make_unique<CpuSource>(); }

wire::Source CpuSource::declaration(uint64_t period_ns) const {
  wire::Session session;
  session.interval_ns = period_ns;
  return wire::cpu_source(session);
}

base::Status CpuSource::start(const SourceContext& context) {
  context.threads.give_clocks();
  return {};
}

}  // namespace walkabout::agent
