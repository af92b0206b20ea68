#include "agent/sources/table.h"

namespace walkabout::agent {

// Windows has none (wire/windows_sources.h).
std::unique_ptr<Source> make_wall_source() { return nullptr; }

}  // namespace walkabout::agent
