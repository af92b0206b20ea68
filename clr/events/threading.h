// The runtime's events about threads and the thread pool as EventPipe delivers them, of the provider
// Microsoft-Windows-DotNETRuntime. Those of threads and workers need no payload here.
//
// Any bytes give false or a value. No allocation, little stack. Source: ClrEtwAll.man of the runtime
// (ThreadPoolWorkerThreadAdjustmentAdjustment). Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace walkabout::clr {

inline constexpr uint32_t kThreadCreated = 85;
inline constexpr uint32_t kWorkerStarted = 50, kWorkerStopped = 51, kWorkersAdjusted = 55;

// Active workers: of kWorkerStarted and kWorkerStopped those that there are, of kWorkersAdjusted those that
// there shall be.
bool parse_workers(std::span<const uint8_t> payload, uint32_t event_id, uint32_t* workers);
// Why their number changes: "starvation", "climbing". payload: of kWorkersAdjusted.
std::u16string_view adjustment_text(std::span<const uint8_t> payload);

}  // namespace walkabout::clr
