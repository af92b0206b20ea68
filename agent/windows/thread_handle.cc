#include "base/windows/win32.h"
// after win32.h
#include <winternl.h>

#include "agent/windows/self_memory.h"
#include "agent/windows/thread_handle.h"

namespace walkabout::agent {
namespace {

constexpr auto kBasicInformation = static_cast<THREADINFOCLASS>(0);
// Source: winternl.h's TEB and NtQueryInformationThread; the same on every Windows x64.
constexpr uint64_t kStackBase = 0x8, kStackLimit = 0x10, kDeallocationStack = 0x1478;
struct BasicInformation {
  LONG exit_status;
  void* teb;
  void* client[2];
  ULONG_PTR affinity;
  LONG priority, base_priority;
};

uint64_t nanoseconds(const FILETIME& t) { return (uint64_t{t.dwHighDateTime} << 32 | t.dwLowDateTime) * 100; }

}  // namespace

ThreadHandle::ThreadHandle(pid_t tid)
    : handle_(
          ::OpenThread(THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT | THREAD_QUERY_INFORMATION | SYNCHRONIZE,
                       FALSE, static_cast<DWORD>(tid))) {}

ThreadHandle::~ThreadHandle() {
  if (handle_ != nullptr) ::CloseHandle(handle_);
}

bool ThreadHandle::gone() const { return ::WaitForSingleObject(handle_, 0) == WAIT_OBJECT_0; }

uint64_t ThreadHandle::cpu_ns(const CycleRate& rate) const {
  ULONG64 cycles = 0;
  if (rate.known() && ::QueryThreadCycleTime(handle_, &cycles) && cycles != 0) return rate.ns(cycles);
  FILETIME begin, end, kernel, user;
  return ::GetThreadTimes(handle_, &begin, &end, &kernel, &user) ? nanoseconds(kernel) + nanoseconds(user)
                                                                 : 0;
}

StackBounds ThreadHandle::stack() const {
  BasicInformation basic{};
  StackBounds bounds;
  if (::NtQueryInformationThread(handle_, kBasicInformation, &basic, sizeof basic, nullptr) < 0)
    return bounds;
  const auto teb = reinterpret_cast<uint64_t>(basic.teb);
  read_self(nullptr, teb + kStackBase, &bounds.hi, sizeof bounds.hi);
  read_self(nullptr, teb + kDeallocationStack, &bounds.lo, sizeof bounds.lo);
  bounds.limit_at = teb + kStackLimit;
  return bounds;
}

}  // namespace walkabout::agent
