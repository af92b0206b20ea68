// The profiler's CLSID, as CORECLR_PROFILER names it.
#pragma once

namespace walkabout::wire {
inline constexpr char kAgentClsid[] = "8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B94";
}
