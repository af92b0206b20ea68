#include "agent/sources/windows/wall.h"

#include "agent/sources/table.h"
#include "agent/sources/wall_declaration.h"

namespace walkabout::agent {

std::unique_ptr<Source> make_wall_source() { return std::make_unique<WallSource>(); }

wire::Source WallSource::declaration(uint64_t period_ns) const { return wall_declaration(period_ns); }

base::Status WallSource::start(const SourceContext& context) {
  context.threads.give_clocks();
  return {};
}

}  // namespace walkabout::agent
