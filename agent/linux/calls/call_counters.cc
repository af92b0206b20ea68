#include "agent/linux/calls/call_counters.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "agent/linux/calls/counted_call.h"
#include "base/page_size.h"
#include "base/system_error.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kShared = 0;  // the block of those that have none
constexpr uint32_t kFirstBlocks = 8, kSpareBlocks = 4;

// As long as the process lives: threads have blocks.
struct Blocks {
  uint8_t* memory = nullptr;       // of kCallCountersSize, none of it to be had but what is mapped
  std::atomic<uint32_t> there{0};  // may be taken; release, partner: take()
  std::atomic<bool> taken[wire::kMostCounterBlocks] = {};
  // Taken by nobody who counts: it lacks counters of methods that are counted now.
  bool withheld[wire::kMostCounterBlocks] = {};
  pthread_key_t end_of_thread{};  // its value: the thread's block
};
constinit Blocks g_blocks;

uint64_t* counters_of(uint32_t block) {
  return reinterpret_cast<uint64_t*>(g_blocks.memory + block * wire::kCounterBlockSize);
}

uint32_t block_of(const void* counters) {
  const auto* at = static_cast<const uint8_t*>(counters);
  return static_cast<uint32_t>((at - g_blocks.memory) / static_cast<ptrdiff_t>(wire::kCounterBlockSize));
}

void give_back_block(void* block) {
  t_call_counters = nullptr;
  g_blocks.taken[block_of(block)].store(false, std::memory_order_release);  // partner: take_block()
}

// Null: all that are there are taken.
uint64_t* take_block() {
  const uint32_t there = g_blocks.there.load(std::memory_order_acquire);
  for (uint32_t i = kShared + 1; i < there; ++i) {
    bool free = false;
    if (!g_blocks.taken[i].load(std::memory_order_relaxed) &&
        g_blocks.taken[i].compare_exchange_strong(free, true, std::memory_order_acquire))
      return counters_of(i);
  }
  return nullptr;
}

base::Status reserve_blocks() {
  if (g_blocks.memory != nullptr) return {};
  if (::pthread_key_create(&g_blocks.end_of_thread, give_back_block) != 0)
    return base::Status::error("the program has no thread-specific value left (pthread_key_create)");
  void* memory =
      ::mmap(nullptr, wire::kCallCountersSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    ::pthread_key_delete(g_blocks.end_of_thread);
    return base::system_error("no room for counters of calls");
  }
  g_blocks.memory = static_cast<uint8_t*>(memory);
  return {};
}

}  // namespace

void count_first_call(uint64_t method) {
  uint64_t* block = take_block();
  if (block != nullptr && ::pthread_setspecific(g_blocks.end_of_thread, block) == 0) {
    t_call_counters = block;
    return walkabout_count_call(method);
  }
  if (block != nullptr) g_blocks.taken[block_of(block)].store(false, std::memory_order_release);
  const std::atomic_ref<uint64_t> counter(counters_of(kShared)[method]);
  counter.fetch_add(1, std::memory_order_relaxed);
}

uint32_t own_counter_block() { return t_call_counters == nullptr ? kShared : block_of(t_call_counters); }

base::Status CallCounters::begin() {
  const base::Lock lock(mutex_);
  if (base::Status s = rings_.may_grow_to(wire::mapping_size(rings_.ring_size()) + wire::kCallCountersSize);
      !s.ok())
    return s;
  base::Status reserved = reserve_blocks();
  begun_ = reserved.ok();
  return reserved;
}

// In place of the memory that is shared, in one step: who adds meanwhile adds to the one or to the other.
// Where the kernel has no room for that, the shared memory stays there until the next recording, and nobody
// reads it.
void CallCounters::end() {
  const base::Lock lock(mutex_);
  if (!begun_) return;
  begun_ = false;
  for (uint32_t i = 0; i < wire::kMostCounterBlocks; ++i) {
    if (bytes_of_[i] == 0) continue;
    static_cast<void>(::mmap(counters_of(i), bytes_of_[i], PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
    ::madvise(counters_of(i), bytes_of_[i], MADV_DONTDUMP);
    bytes_of_[i] = 0;
  }
  block_bytes_ = bytes_ = 0;
}

base::Status CallCounters::grow(uint32_t block) {
  const uint64_t from = bytes_of_[block], more = block_bytes_ - from;
  uint8_t* at = reinterpret_cast<uint8_t*>(counters_of(block)) + from;
  const uint64_t offset = wire::counter_block_offset(block, rings_.ring_size()) + from;
  if (base::Status s = rings_.map_at(at, offset, more); !s.ok()) return s;
  bytes_of_[block] = block_bytes_;
  bytes_ += more;
  return {};
}

// One that is a thread's grows in any case: the thread counts in it. So does the one that all share.
base::Status CallCounters::grow_or_withhold(uint32_t block) {
  bool& withheld = g_blocks.withheld[block];
  if (block != kShared && bytes_ + block_bytes_ - bytes_of_[block] > kMostBytes) {
    bool free = false;
    withheld = withheld || g_blocks.taken[block].compare_exchange_strong(free, true);
    if (withheld) return {};
  }
  if (base::Status s = grow(block); !s.ok()) return s;
  if (std::exchange(withheld, false))
    g_blocks.taken[block].store(false, std::memory_order_release);  // partner: take_block()
  return {};
}

base::Status CallCounters::add_blocks(uint32_t wanted) {
  for (uint32_t i = g_blocks.there.load(); i < std::min(wanted, wire::kMostCounterBlocks); ++i) {
    if (bytes_ + block_bytes_ > kMostBytes) return {};
    if (base::Status s = grow(i); !s.ok()) return s;
    g_blocks.there.store(i + 1, std::memory_order_release);  // partner: take_block()
    rings_.header()->counter_blocks.store(i + 1, std::memory_order_release);
  }
  return {};
}

base::Status CallCounters::make_room(uint32_t methods) {
  const base::Lock lock(mutex_);
  if (!begun_) return base::Status::error("the recording is over");
  if (methods > wire::kMostCountedMethods)
    return base::Status::error("so many methods cannot be counted: " + std::to_string(methods));
  const uint64_t bytes =
      (methods * sizeof(uint64_t) + base::kPageSize - 1) / base::kPageSize * base::kPageSize;
  if (bytes > block_bytes_) {
    const uint32_t there = g_blocks.there.load();
    const uint64_t before = std::exchange(block_bytes_, bytes);
    for (uint32_t i = 0; i < there; ++i) {
      if (base::Status s = grow_or_withhold(i); !s.ok()) {
        block_bytes_ = before;
        return s;
      }
    }
    rings_.header()->counter_blocks.store(there, std::memory_order_release);
  }
  rings_.header()->counters.store(static_cast<uint32_t>(block_bytes_ / sizeof(uint64_t)),
                                  std::memory_order_release);
  return add_blocks(kFirstBlocks);
}

void CallCounters::keep_spare() {
  const base::Lock lock(mutex_);
  const uint32_t there = g_blocks.there.load();
  if (!begun_ || block_bytes_ == 0) return;
  uint32_t spare = 0;
  for (uint32_t i = kShared + 1; i < there; ++i) spare += g_blocks.taken[i].load() ? 0 : 1;
  // Where there is no memory the others' block goes on.
  if (spare < kSpareBlocks) static_cast<void>(add_blocks(there + std::max(kSpareBlocks, there / 2)));
}

std::vector<uint64_t> CallCounters::sums() const {
  const base::Lock lock(mutex_);
  std::vector<uint64_t> all(begun_ ? block_bytes_ / sizeof(uint64_t) : 0);
  for (uint32_t block = 0; block < g_blocks.there.load(); ++block) {
    uint64_t* counters = counters_of(block);
    for (size_t i = 0; i < std::min(all.size(), bytes_of_[block] / sizeof(uint64_t)); ++i)
      all[i] += std::atomic_ref<uint64_t>(counters[i]).load(std::memory_order_relaxed);
  }
  return all;
}

}  // namespace walkabout::agent
