#include "tests/windows/thread_cycles.h"

#include <atomic>
#include <cstdint>

namespace walkabout::tests {
namespace {

// Wine's threads are Linux's, and its programs may make Linux's system calls. Source: asm/unistd_64.h.
constexpr int64_t kGettid = 186, kClockGettime = 228;
constexpr DWORD kThreads = 1u << 16;  // numbers of Wine's threads are multiples of 4, and small

std::atomic<int> linux_ids[kThreads];

int64_t linux_call(int64_t number, int64_t first, void* second) {
  int64_t result = 0;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second) : "rcx", "r11", "memory");
  return result;
}

std::atomic<int>& linux_id(DWORD thread) { return linux_ids[thread / 4 % kThreads]; }

}  // namespace

void announce_thread() {
  linux_id(::GetCurrentThreadId()).store(static_cast<int>(linux_call(kGettid, 0, nullptr)));
}

BOOL WINAPI thread_cycles(HANDLE thread, ULONG64* cycles) {
  const int id = linux_id(::GetThreadId(thread)).load();
  if (id == 0) return FALSE;
  const int64_t clock = static_cast<int>((~static_cast<unsigned>(id) << 3) | 6u);  // as base/clock.h
  int64_t time[2] = {};
  if (linux_call(kClockGettime, clock, time) != 0) return FALSE;
  *cycles = (static_cast<ULONG64>(time[0]) * 1'000'000'000 + static_cast<ULONG64>(time[1])) * kCyclesPerNs;
  return TRUE;
}

}  // namespace walkabout::tests
