#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "agent/trace/trace_pages.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

std::atomic<uint64_t> g_thread_key{0};  // of pthread_key_create, and 1; as long as the process lives

}  // namespace

void* reserve_trace_pages(size_t bytes) {
  void* pages =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  ::madvise(pages, bytes, MADV_NOHUGEPAGE);
  ::madvise(pages, bytes, MADV_WIPEONFORK);
  ::madvise(pages, bytes, MADV_DONTDUMP);
  return pages;
}

void free_trace_pages(void* pages, size_t bytes) { ::munmap(pages, bytes); }

void clear_trace_pages(void* pages, size_t bytes) { ::madvise(pages, bytes, MADV_DONTNEED); }

void drop_trace_pages(void* pages, size_t bytes) { ::madvise(pages, bytes, MADV_DONTNEED); }

uint64_t most_trace_bytes() { return 512 << 20; }

uint32_t most_trace_frames() { return 1u << 17; }

bool watch_trace_thread(void (*ended)(void*), void* value) {
  uint64_t key = g_thread_key.load(std::memory_order_acquire);
  if (key == 0) {
    pthread_key_t made{};
    if (::pthread_key_create(&made, ended) != 0) return false;
    if (!g_thread_key.compare_exchange_strong(key, uint64_t{made} + 1)) {
      ::pthread_key_delete(made);
    } else {
      key = uint64_t{made} + 1;
    }
  }
  return ::pthread_setspecific(static_cast<pthread_key_t>(key - 1), value) == 0;
}

uint64_t this_trace_thread() { return static_cast<uint64_t>(::syscall(SYS_gettid)); }

uint64_t this_trace_process() { return static_cast<uint64_t>(::getpid()); }

uint64_t this_thread_cpu_ns() { return base::thread_cpu_ns(); }

}  // namespace walkabout::agent
