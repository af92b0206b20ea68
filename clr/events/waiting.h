// The runtime's events about threads that wait, as EventPipe delivers them, of the provider
// Microsoft-Windows-DotNETRuntime: for a lock that another thread holds, and on a wait handle.
//
// Any bytes give false or a value. No allocation, little stack. Source: ClrEtwAll.man of the runtime
// (ContentionStart_V2, ContentionStop_V1, WaitHandleWaitStart). Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>

namespace walkabout::clr {

inline constexpr uint32_t kContentionStart = 81, kContentionStop = 91;
inline constexpr uint32_t kWaitHandleWaitStart = 301, kWaitHandleWaitStop = 302;  // .NET 9

struct ContentionStart {
  uint64_t lock = 0;    // the runtime's address of it; another lock may have it later
  uint64_t object = 0;  // the address that the object had then: of whose lock it is, or the Lock itself
  uint64_t owner = 0;   // the thread that holds it, as the kernel numbers it; 0: not known
};

bool parse_contention_start(std::span<const uint8_t> payload, uint32_t version, ContentionStart* event);
// Whether the wait is Monitor.Wait; false also where the payload does not say.
bool is_monitor_wait(std::span<const uint8_t> payload);

}  // namespace walkabout::clr
