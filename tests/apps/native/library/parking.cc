// To be preloaded: malloc and madvise of the whole process go through here.
#include "parking.h"

#include <dlfcn.h>
#include <link.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

// glibc's own, under the names it exports them by.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void __libc_free(void* block);
}

namespace {

// -ftls-model=initial-exec: malloc must not need malloc.
thread_local bool t_park_in_malloc = false;
thread_local bool t_park_in_madvise = false;
std::atomic<int> g_peers{0}, g_peers_done{0}, g_wanted{0};
std::atomic<bool> g_parked{false}, g_one_at_a_time{false};
std::atomic<uint32_t> g_held{0};

uint64_t own_cpu_ns() {
  timespec t = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

// As an arena of glibc's: one thread at a time, and not even the same one twice. Only once parking was asked
// for: nothing else is slowed down by it.
class Arena {
 public:
  Arena() : locked_(g_one_at_a_time) {
    while (locked_ && g_held.exchange(1) != 0) ::syscall(SYS_futex, &g_held, FUTEX_WAIT_PRIVATE, 1, nullptr);
    if (locked_ && t_park_in_malloc) {
      t_park_in_malloc = false;
      hostile_parked();
    }
  }
  ~Arena() {
    if (!locked_) return;
    g_held = 0;
    ::syscall(SYS_futex, &g_held, FUTEX_WAKE_PRIVATE, 1 << 20);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

 private:
  const bool locked_;
};

}  // namespace

HOSTILE void* malloc(size_t size) {
  const Arena arena;
  return __libc_malloc(size);
}
HOSTILE void* calloc(size_t count, size_t size) {
  const Arena arena;
  return __libc_calloc(count, size);
}
HOSTILE void* realloc(void* block, size_t size) {
  const Arena arena;
  return __libc_realloc(block, size);
}
HOSTILE void free(void* block) {
  const Arena arena;
  __libc_free(block);
}

// The collector gives memory back in the middle of a collection.
HOSTILE int madvise(void* address, size_t length, int advice) noexcept {
  if (t_park_in_madvise) {
    t_park_in_madvise = false;
    hostile_parked();
  }
  return static_cast<int>(::syscall(SYS_madvise, address, length, advice));
}

HOSTILE __attribute__((noinline)) void hostile_parked() {
  const uint64_t end = own_cpu_ns() + hostile::kParkedNs;
  g_parked = true;
  g_parked.notify_all();
  while (own_cpu_ns() < end || g_peers_done < g_wanted) hostile::burn(1, 10'000);
}

HOSTILE int hostile_await_peers(int count) {
  g_wanted = count;
  while (g_peers < count) ::usleep(1000);
  return 0;
}

HOSTILE int hostile_peer() {
  ++g_peers;
  g_parked.wait(false);
  const uint64_t end = own_cpu_ns() + hostile::kParkedNs;
  while (own_cpu_ns() < end) hostile::burn(2, 10'000);
  ++g_peers_done;
  return 0;
}

HOSTILE int hostile_park_in_malloc() {
  g_one_at_a_time = true;
  t_park_in_malloc = true;
  void* block = std::malloc(100);
  asm volatile("" ::"r"(block) : "memory");
  std::free(block);
  return t_park_in_malloc ? 1 : 0;
}

HOSTILE int hostile_park_in_loader_list() {
  return ::dl_iterate_phdr(
             [](dl_phdr_info*, size_t, void*) {
               hostile_parked();
               return 7;
             },
             nullptr) == 7
             ? 0
             : 1;
}

HOSTILE int hostile_park_in_dlopen() {
  void* library = ::dlopen("libhostile_parking_load.so", RTLD_NOW | RTLD_LOCAL);
  return library != nullptr && ::dlclose(library) == 0 ? 0 : 1;
}

// In managed code's own mode (SuppressGCTransition): a collection that begins now waits for this thread.
HOSTILE int hostile_park_before_gc() {
  hostile_parked();
  return 0;
}

// The calling thread's next collection that gives memory back stops there.
HOSTILE int hostile_park_next_gc() {
  t_park_in_madvise = true;
  return 0;
}
HOSTILE int hostile_was_parked() { return g_parked ? 0 : 1; }
