// What compiled a method, as people read it. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>

namespace walkabout::profile {

// tiers: DisplayFrame::tiers. "tier-1"; "tier-0, OSR" of code of both; empty: not known.
std::string tiers_text(uint16_t tiers);

}  // namespace walkabout::profile
