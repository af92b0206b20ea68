// How a SIGTRAP says that it is a tick of one of our clocks (open_trap_clock), and of which.
// Async-signal-safe.
#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace walkabout::base {

inline constexpr uint32_t kTickMark = 0x4b4c4157;  // "WALK": of ours among all perf events
inline constexpr int kTrapPerf = 6;                // TRAP_PERF, which C libraries before 2.35 do not name

// What a clock's signals carry for a slot.
constexpr uint64_t tick_data(uint32_t slot) { return uint64_t{kTickMark} << 32 | slot; }

// Whether they carry such, and which slot's.
constexpr bool read_tick_data(uint64_t data, uint32_t* slot) {
  *slot = static_cast<uint32_t>(data);
  return data >> 32 == kTickMark;
}

// si_perf_data, which lies behind si_addr.
inline uint64_t perf_data(const siginfo_t& info) {
  uint64_t data = 0;
  std::memcpy(&data, reinterpret_cast<const uint8_t*>(&info) + offsetof(siginfo_t, si_addr) + sizeof(void*),
              sizeof data);
  return data;
}

inline bool is_tick_trap(const siginfo_t& info, uint32_t* slot) {
  return info.si_signo == SIGTRAP && info.si_code == kTrapPerf && read_tick_data(perf_data(info), slot);
}

}  // namespace walkabout::base
