#include "agent/trace/linux/switch_pages.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/fd.h"
#include "base/page_size.h"

namespace walkabout::agent {
namespace {

// Of SwitchPages, as long as the process lives.
std::atomic<uint8_t*> g_switch_pages{nullptr};
// What thread_begins() had for the calling thread.
constinit thread_local const std::atomic<uint32_t>* t_switches = nullptr;

int open_dummy(pid_t tid) {
  perf_event_attr attr;
  ::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

uint8_t* page_at(uint32_t index) { return g_switch_pages.load() + uint64_t{index} * base::kPageSize; }

const std::atomic<uint32_t>* lock_of(uint8_t* page) {
  return reinterpret_cast<const std::atomic<uint32_t>*>(page + offsetof(perf_event_mmap_page, lock));
}

bool reserve_switch_pages() {
  if (g_switch_pages.load() != nullptr) return true;
  void* pages = ::mmap(nullptr, SwitchPages::kMost * base::kPageSize, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return false;
  g_switch_pages.store(static_cast<uint8_t*>(pages));
  return true;
}

void unmap_switch_page(uint8_t* page) {
  static_cast<void>(::mmap(page, base::kPageSize, PROT_READ,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
}

std::vector<uint64_t> threads_of_process() {
  std::vector<uint64_t> tids;
  DIR* tasks = ::opendir("/proc/self/task");
  if (tasks == nullptr) return tids;
  while (const dirent* entry = ::readdir(tasks))
    if (const uint64_t tid = ::strtoul(entry->d_name, nullptr, 10); tid != 0) tids.push_back(tid);
  ::closedir(tasks);
  return tids;
}

// The caller has been switched away and back when it returns.
void be_switched() {
  const timespec moment{0, 1};
  ::clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, nullptr);
}

}  // namespace

uint32_t SwitchPages::most_pages() const {
  uint64_t kilobytes = 0;
  if (FILE* file = ::fopen("/proc/sys/kernel/perf_event_mlock_kb", "re")) {
    unsigned long value = 0;
    if (::fscanf(file, "%lu", &value) == 1) kilobytes = value;
    ::fclose(file);
  }
  const auto processors = static_cast<uint64_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
  const uint64_t pages = kilobytes * 1024 / base::kPageSize * processors / 2;
  return static_cast<uint32_t>(std::min<uint64_t>(pages, kMost));
}

bool SwitchPages::begin() {
  if (!reserve_switch_pages()) return false;
  uint32_t most = 0;
  std::vector<uint64_t> tids;
  host_.call([&] {
    most = most_pages();
    tids = threads_of_process();
  });
  allowed_.store(most);
  uint32_t opened = 0;
  for (const uint64_t tid : tids) opened += open(tid, kOpen) != nullptr ? 1 : 0;
  if (opened == 0) allowed_.store(0);
  return opened != 0;
}

void SwitchPages::end() {
  const base::Lock lock(mutex_);
  allowed_.store(0);
  for (uint32_t i = 0; i < kMost; ++i)
    if (pages_[i].state.exchange(kFree) != kFree) unmap_switch_page(page_at(i));
}

const std::atomic<uint32_t>* SwitchPages::map(uint32_t index, uint64_t tid) {
  uint8_t* const page = page_at(index);
  bool mapped = false;
  host_.call([&] {
    const base::Fd fd(open_dummy(static_cast<pid_t>(tid)));
    if (!fd.valid()) return;
    void* at = ::mmap(page, base::kPageSize, PROT_READ, MAP_SHARED | MAP_FIXED, fd.get(), 0);
    mapped = at != MAP_FAILED;
    if (!mapped) unmap_switch_page(page);  // where it was, there may be nothing by now
  });
  return mapped ? lock_of(page) : nullptr;
}

const std::atomic<uint32_t>* SwitchPages::open(uint64_t tid, State state) {
  const base::Lock lock(mutex_);
  for (uint32_t i = 0; i < allowed_.load(); ++i) {
    if (pages_[i].state.load() != kFree) continue;
    const std::atomic<uint32_t>* counts = map(i, tid);
    if (counts == nullptr) return nullptr;
    pages_[i].tid.store(tid);
    pages_[i].state.store(state, std::memory_order_release);  // partner: take()
    return counts;
  }
  return nullptr;
}

const std::atomic<uint32_t>* SwitchPages::of(uint64_t tid) { return open(tid, kTaken); }

// What thread_begins() opened is the calling thread's, whoever had its number before.
const std::atomic<uint32_t>* SwitchPages::take(uint64_t tid) {
  const std::atomic<uint32_t>* const own = t_switches;
  t_switches = nullptr;
  for (uint32_t i = 0; i < allowed_.load(std::memory_order_relaxed); ++i) {
    const std::atomic<uint32_t>* const counts = lock_of(page_at(i));
    uint32_t open = kOpen;
    if (pages_[i].state.load(std::memory_order_acquire) != kOpen || pages_[i].tid.load() != tid ||
        !pages_[i].state.compare_exchange_strong(open, kTaken))
      continue;
    if (own == counts) return counts;
    const uint32_t before = counts->load(std::memory_order_relaxed);
    be_switched();
    if (counts->load(std::memory_order_relaxed) != before) return counts;
    give_back(counts);
  }
  return nullptr;
}

void SwitchPages::give_back(const std::atomic<uint32_t>* counts) {
  const auto* at = reinterpret_cast<const uint8_t*>(counts);
  const auto index = static_cast<uint32_t>(static_cast<uint64_t>(at - page_at(0)) / base::kPageSize);
  if (index >= kMost || pages_[index].state.load() == kFree) return;
  unmap_switch_page(page_at(index));
  pages_[index].state.store(kFree, std::memory_order_release);
}

void SwitchPages::thread_begins() {
  if (allowed_.load() == 0) return;
  t_switches = open(static_cast<uint64_t>(::syscall(SYS_gettid)), kOpen);
}

void SwitchPages::thread_ends() {
  const std::atomic<uint32_t>* const own = t_switches;
  t_switches = nullptr;
  if (own == nullptr) return;
  const auto index = static_cast<uint32_t>(
      static_cast<uint64_t>(reinterpret_cast<const uint8_t*>(own) - page_at(0)) / base::kPageSize);
  // Behind another recording's beginning it may be another thread's.
  uint32_t open = kOpen;
  if (index < kMost && pages_[index].tid.load() == static_cast<uint64_t>(::syscall(SYS_gettid)) &&
      pages_[index].state.compare_exchange_strong(open, kTaken))
    give_back(own);
}

}  // namespace walkabout::agent
