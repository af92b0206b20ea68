#pragma once

namespace walkabout::agent {
inline constexpr char kVersion[] = WALKABOUT_VERSION;
}
