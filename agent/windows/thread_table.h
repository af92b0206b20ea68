// Every thread of the process that is sampled: its slot, handle, stack and names, from its first sight to its
// last sample.
//
// The CLR's callbacks announce its threads, the sampler's listing finds the others and notices the dead, the
// spooler takes the samples and frees the slots. One lock, never held across a call into the CLR and never
// taken while a thread is stopped: the stopped one may hold it.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "agent/shared/pages.h"
#include "agent/shared/thread_register.h"
#include "agent/windows/process_self.h"
#include "agent/windows/ring_memory.h"
#include "agent/windows/thread_handle.h"
#include "agent/windows/thread_slot.h"
#include "agent/windows/thread_word.h"
#include "clr/abi/structs.h"

namespace walkabout::agent {

// A thread to be walked. Valid on the sampler's thread until its next update().
struct Target {
  uint32_t slot = 0;
  pid_t tid = 0;
  const ThreadHandle* thread = nullptr;
  StackBounds stack;
  wire::SlotHeader* shared = nullptr;
  base::ThreadId id;
  uint64_t first_seen_ns = 0;  // CLOCK_MONOTONIC
};

struct WalkedThread : ThreadEntry {
  clr::ThreadID clr = 0;
  ThreadHandle handle;
  StackBounds stack;
};

class ThreadTable : public ThreadRegister<WalkedThread> {
 public:
  explicit ThreadTable(RingMemory& rings) : ThreadRegister(rings) {}

  // From now on threads are targets: their time makes samples.
  void give_clocks();
  // Before the first thread: CPU time is measured by cycles.
  void count_cycles(const CycleRate& rate) { rate_ = rate; }
  const CycleRate& cycle_rate() const { return rate_; }

  // clr: the CLR's id, 0 for a thread it does not know. from_start: all its CPU time is ours; else only what
  // it uses from now on. No-op when it is known already, but for what is new about it.
  void arm(pid_t tid, clr::ThreadID clr, bool from_start);
  // The slot of the calling thread, with a ring for what it captures of itself. Null where it has none: it is
  // not armed. Where there is no memory for that ring the captures are dropped.
  ThreadSlot* callback_slot();
  // The same of a thread that has asked for it before; no lock.
  ThreadSlot* current_slot() const { return reinterpret_cast<ThreadSlot*>(current_.get()); }
  // The CLR forgets the thread: returns when no walk can name it to the CLR any more.
  void destroyed(clr::ThreadID clr);

  // The sampler's: arms the new of `alive`, marks those ended that are gone. Targets: none before
  // give_clocks().
  void update(const std::vector<pid_t>& alive);
  void targets(std::vector<Target>* targets);
  // Between the two destroyed() waits for this thread. The CLR's id of it, 0 if it has none.
  clr::ThreadID begin_walk(uint32_t slot);
  void end_walk() { walking_.store(0, std::memory_order_release); }

  // The ended thread's samples were taken: its slot may be used again.
  void release(uint32_t slot);
  // Each thread is as if it had ended. Returns the process's CPU time at that moment.
  uint64_t stop();
  std::string os_name(pid_t tid) { return thread_name(tid); }
  void set_interval(uint64_t) {}  // no budget is kept here: one tick of the sampler is for all threads

 private:
  void end(WalkedThread& thread) WALKABOUT_REQUIRES(mutex_);
  void arm_locked(pid_t tid, clr::ThreadID clr, bool from_start) WALKABOUT_REQUIRES(mutex_);

  PagedArray<ThreadSlot> slots_{wire::kMaxSlots};
  const ThreadWord current_;  // a thread's slot
  bool have_clocks_ WALKABOUT_GUARDED_BY(mutex_) = false;
  CycleRate rate_;
  std::atomic<clr::ThreadID> walking_{0};  // release: partner of destroyed()'s acquire
};

}  // namespace walkabout::agent
