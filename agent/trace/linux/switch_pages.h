// Counts of how often threads began to run: the page that the kernel keeps of a perf event of a thread is
// rewritten whenever the thread is switched in, and its `lock` goes up then. The event counts nothing and
// overflows never. Its descriptor is open for the moment of the mapping, in the host's table.
//
// The pages lie in address space that is reserved once and stays, for a thread may look at its page at any
// moment: what is given back becomes zeroes in one step.
//
// Such pages count against perf_event_mlock_kb of the user; at most half of that is taken. A child that the
// program forks has none of them.
//
// Sources: perf_event_open(2); kernel/events/core.c (perf_event_update_userpage, perf_swevent_add,
// perf_mmap).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "agent/linux/descriptor_host.h"
#include "agent/trace/call_tracing.h"
#include "base/mutex.h"

namespace walkabout::agent {

class SwitchPages : public SwitchCounts {
 public:
  static constexpr uint32_t kMost = 1024;

  explicit SwitchPages(DescriptorHost& host) : host_(host) {}
  ~SwitchPages() override { end(); }
  SwitchPages(const SwitchPages&) = delete;
  SwitchPages& operator=(const SwitchPages&) = delete;

  // Of the threads that there are. False where the kernel allows no such events.
  bool begin() override;
  void end() override;
  const std::atomic<uint32_t>* of(uint64_t tid) override;
  // What begin() had for it is tried: another thread may have had the number then. That takes a moment's
  // sleep.
  const std::atomic<uint32_t>* take(uint64_t tid) override;
  void give_back(const std::atomic<uint32_t>* counts) override;

  // A thread that has just begun: it has a page before its first call. In a callback of the runtime, outside
  // of probes, as it waits for the host; so is the other. Nothing where begin() gave none.
  void thread_begins();
  // It ends; for one that never called anything that is traced.
  void thread_ends();

 private:
  enum State : uint32_t { kFree, kOpen, kTaken };
  struct Page {
    std::atomic<uint64_t> tid{0};
    std::atomic<uint32_t> state{kFree};
  };

  const std::atomic<uint32_t>* open(uint64_t tid, State state);
  const std::atomic<uint32_t>* map(uint32_t index, uint64_t tid);
  uint32_t most_pages() const;

  DescriptorHost& host_;
  base::Mutex mutex_;  // of who opens
  std::atomic<uint32_t> allowed_{0};
  std::array<Page, kMost> pages_;
};

}  // namespace walkabout::agent
