#include "agent/sources/windows/async.h"

#include <memory>

#include "agent/sources/async_declaration.h"
#include "agent/sources/table.h"

namespace walkabout::agent {

std::unique_ptr<Source> make_async_source() { return std::make_unique<AsyncSource>(); }

wire::Source AsyncSource::declaration(uint64_t period_ns) const { return async_declaration(period_ns); }

base::Status AsyncSource::start(const SourceContext& context) {
  context.spooler.report(wire::Severity::kWarning,
                         "async methods that wait are not found on Windows: the event async has no samples");
  return {};
}

}  // namespace walkabout::agent
