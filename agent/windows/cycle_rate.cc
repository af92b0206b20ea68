#include "base/windows/win32.h"
// after win32.h
#include <sys/types.h>

#include <algorithm>
#include <array>

#include "agent/windows/cycle_rate.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr size_t kWindows = 9;
constexpr uint64_t kWindowNs = 200'000;

CycleRate::Window look_on(ULONG64 before) {
  const uint64_t begin = base::monotonic_ns();
  uint64_t end = begin;
  while (end - begin < kWindowNs) end = base::monotonic_ns();
  ULONG64 after = before;
  ::QueryThreadCycleTime(::GetCurrentThread(), &after);
  return {after - before, base::monotonic_ns() - begin};
}

}  // namespace

CycleRate CycleRate::of(std::span<const Window> windows) {
  std::array<double, kWindows> rates{};
  const size_t count = std::min(windows.size(), rates.size());
  for (size_t i = 0; i < count; ++i) {
    if (windows[i].ns != 0)
      rates[i] = static_cast<double>(windows[i].cycles) / static_cast<double>(windows[i].ns);
  }
  std::sort(rates.begin(), rates.begin() + static_cast<ptrdiff_t>(count));
  CycleRate rate;
  const double one = count < 2 ? rates[0] : rates[count - 2];
  if (one > 0) rate.ns_per_cycle_ = 1 / one;
  return rate;
}

CycleRate CycleRate::measured() {
  std::array<Window, kWindows> windows;
  for (Window& window : windows) {
    ULONG64 cycles = 0;
    if (!::QueryThreadCycleTime(::GetCurrentThread(), &cycles) || cycles == 0) return {};
    window = look_on(cycles);
  }
  return of(windows);
}

}  // namespace walkabout::agent
