#include "agent/sources/linux/async.h"

#include <memory>

#include "agent/sources/async_declaration.h"
#include "agent/sources/table.h"

namespace walkabout::agent {

std::unique_ptr<Source> make_async_source() { return std::make_unique<AsyncSource>(); }

[[gnu::cold]] wire::Source AsyncSource::declaration(uint64_t period_ns) const {
  return async_declaration(period_ns);
}

SourceNeeds AsyncSource::needs(uint32_t /*runtime*/) const {
  return {clr::COR_PRF_MONITOR_CLASS_LOADS | clr::COR_PRF_MONITOR_SUSPENDS, clr::COR_PRF_HIGH_BASIC_GC, 0, 0};
}

base::Status AsyncSource::start(const SourceContext& /*context*/) { return {}; }

}  // namespace walkabout::agent
