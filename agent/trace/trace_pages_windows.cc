#include "base/windows/win32.h"
// after win32.h
#include <atomic>
#include <cstring>

#include "agent/trace/trace_pages.h"

namespace walkabout::agent {
namespace {

std::atomic<DWORD> g_thread_key{0};  // of FlsAlloc, and 1; as long as the process lives
std::atomic<void (*)(void*)> g_thread_ended{nullptr};

void WINAPI thread_ended(void* value) {
  if (value != nullptr) g_thread_ended.load()(value);
}

}  // namespace

void* reserve_trace_pages(size_t bytes) {
  return ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void free_trace_pages(void* pages, size_t) { ::VirtualFree(pages, 0, MEM_RELEASE); }

void clear_trace_pages(void* pages, size_t bytes) { std::memset(pages, 0, bytes); }

// What is given back and taken again in two steps, another thread would miss in between.
void drop_trace_pages(void*, size_t) {}

// All that is reserved counts against what the system may commit.
uint64_t most_trace_bytes() { return 128 << 20; }

uint32_t most_trace_frames() { return 1u << 15; }

bool watch_trace_thread(void (*ended)(void*), void* value) {
  DWORD key = g_thread_key.load(std::memory_order_acquire);
  if (key == 0) {
    g_thread_ended.store(ended);
    const DWORD made = ::FlsAlloc(thread_ended);
    if (made == FLS_OUT_OF_INDEXES) return false;
    if (!g_thread_key.compare_exchange_strong(key, made + 1)) {
      ::FlsFree(made);
    } else {
      key = made + 1;
    }
  }
  return ::FlsSetValue(key - 1, value) != 0;
}

uint64_t this_trace_thread() { return ::GetCurrentThreadId(); }

uint64_t this_trace_process() { return ::GetCurrentProcessId(); }

uint64_t this_thread_cpu_ns() { return 0; }

}  // namespace walkabout::agent
