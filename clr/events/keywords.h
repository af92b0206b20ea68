// Keywords and levels of the runtime's event provider (Microsoft-Windows-DotNETRuntime). Source:
// src/coreclr/vm/ClrEtwAll.man of dotnet/runtime.
#pragma once

#include <cstdint>

namespace walkabout::clr {

inline constexpr uint64_t kGcKeyword = 0x1, kLoaderKeyword = 0x8, kJitKeyword = 0x10,
                          kContentionKeyword = 0x4000, kExceptionKeyword = 0x8000,
                          kThreadingKeyword = 0x10000, kTypeDiagnosticKeyword = 0x8'000'000'000,
                          kWaitHandleKeyword = 0x40'000'000'000,
                          kAllocationSamplingKeyword = 0x80'000'000'000;
inline constexpr uint32_t kInformational = 4, kVerbose = 5;

}  // namespace walkabout::clr
