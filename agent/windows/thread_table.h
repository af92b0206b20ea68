// Every thread of the process that is sampled: its slot, handle, stack and names, from its first sight to its
// last sample.
//
// The CLR's callbacks announce its threads, the sampler's listing finds the others and notices the dead, the
// spooler takes the samples and frees the slots. One lock, never held across a call into the CLR and never
// taken while a thread is stopped: the stopped one may hold it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/thread_view.h"
#include "agent/windows/ring_memory.h"
#include "agent/windows/thread_handle.h"
#include "base/ids.h"
#include "clr/structs.h"

namespace walkabout::agent {

// A thread to be walked. Valid on the sampler's thread until its next update().
struct Target {
  uint32_t slot = 0;
  pid_t tid = 0;
  const ThreadHandle* thread = nullptr;
  StackBounds stack;
  wire::SlotHeader* shared = nullptr;
};

class ThreadTable {
 public:
  explicit ThreadTable(RingMemory& rings) : rings_(rings) {}

  // Before the first thread: CPU time is told by cycles.
  void count_cycles(const CycleRate& rate) { rate_ = rate; }
  const CycleRate& cycle_rate() const { return rate_; }

  // clr: the CLR's id, 0 for a thread it does not know. from_birth: all its CPU time is ours; else only what
  // it uses from now on. No-op when it is known already, but for what is new about it.
  void arm(pid_t tid, clr::ThreadID clr, bool from_birth);
  // False if there is no such thread; the name is as it was then.
  bool set_managed_name(pid_t tid, std::string& name);
  // The CLR forgets the thread: returns when no walk can name it to the CLR any more.
  void destroyed(clr::ThreadID clr);
  // Never sampled: the agent's own threads.
  void exclude(pid_t tid);

  // The sampler's: arms the new of `alive`, marks those ended that are gone.
  void update(const std::vector<pid_t>& alive);
  void targets(std::vector<Target>* targets);
  // Between the two destroyed() waits for this thread. The CLR's id of it, 0 if it has none.
  clr::ThreadID begin_walk(uint32_t slot);
  void end_walk() { walking_.store(0, std::memory_order_release); }

  // The spooler's: all threads now known; `changed` is reset by it.
  void view(std::vector<ThreadView>* threads, bool all_changed = false);
  // The ended thread's samples were taken: its slot may be used again.
  void release(uint32_t slot);
  // Each thread is as if it had ended. Returns the process's CPU time at that moment.
  uint64_t stop();
  // An id for a thread that is not sampled.
  base::ThreadId new_id();
  wire::SlotHeader* shared(uint32_t slot) const { return rings_.slot(slot); }
  uint32_t ring_size() const { return rings_.ring_size(); }
  void set_interval(uint64_t) {}  // no budget is kept here: one tick of the sampler is for all threads
  using Totals = SlotTotals;
  Totals totals() const;
  // The first thing that went wrong arming a thread, once.
  std::string take_problem();

 private:
  struct Entry {
    base::ThreadId id;
    pid_t tid = 0;
    uint32_t slot = 0;
    clr::ThreadID clr = 0;
    ThreadHandle thread;
    StackBounds stack;
    uint64_t first_seen_ns = 0;
    uint64_t unsampled_ns = 0;
    uint64_t counted_from_ns = 0;  // see ThreadView
    bool managed = false;
    bool ended = false;
    bool changed = true;
    std::string managed_name;
  };
  Entry* find(pid_t tid);
  void end(Entry& e);
  void arm_locked(pid_t tid, clr::ThreadID clr, bool from_birth);
  bool take_slot(uint32_t* slot);

  mutable std::mutex mutex_;
  RingMemory& rings_;
  CycleRate rate_;
  std::vector<std::unique_ptr<Entry>> entries_;  // by slot; null = free
  std::unordered_map<pid_t, uint32_t> slot_of_;  // living threads
  std::vector<uint32_t> free_;
  std::vector<pid_t> excluded_;
  uint32_t next_id_ = 1;
  bool stopped_ = false;
  Totals gone_;
  std::string problem_;
  bool problem_said_ = false;
  std::atomic<clr::ThreadID> walking_{0};  // release: partner of destroyed()'s acquire
};

}  // namespace walkabout::agent
