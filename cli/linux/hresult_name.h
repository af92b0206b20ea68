// HRESULTs by the names of the CLR's headers. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>

namespace walkabout::cli {

// "E_FAIL", "CORPROF_E_STACKSNAPSHOT_UNSAFE", else "0x8013abcd".
std::string hresult_name(uint32_t hresult);

}  // namespace walkabout::cli
