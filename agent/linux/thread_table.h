// Every thread of the process that is sampled: its slot, clock and names, from its first sight to its last
// sample.
//
// Threads arm themselves in the CLR's callback; the sampler's scan of the task list arms the ones the CLR
// does not announce and notices the dead; the spooler takes the samples and frees the slots. One lock, never
// held across a call into the CLR and never taken by the handler.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/linux/cpu_clock.h"
#include "agent/linux/handler.h"
#include "agent/linux/ring_memory.h"
#include "agent/thread_view.h"
#include "base/ids.h"

namespace walkabout::agent {

class ThreadTable {
 public:
  struct Clocking {
    wire::Engine engine;
    bool kernel_ticks;
    uint64_t interval_ns;
    int signal;
  };
  ThreadTable(RingMemory& rings, const Clocking& clocking);
  // REQUIRES: no tick is at work on its threads (abandon()).
  ~ThreadTable();

  // Arms a thread: the calling one (a CLR callback) or one the scan found. No-op when it is armed already.
  // from_birth: all its CPU time is ours; else only what it uses from now on.
  void arm(pid_t tid, bool managed, bool from_birth);
  // False if there is no such thread; the name is as it was then.
  bool set_managed_name(pid_t tid, std::string& name);
  // The runtime's own object for a thread (the profiling API's ThreadID), and its end.
  void set_clr_thread(pid_t tid, uint64_t thread);
  void forget_clr_thread(uint64_t thread);
  void set_stack(pid_t tid, uint64_t lo, uint64_t hi);
  // The calling thread's CPU time, shortly before its end. Afterwards timers do not tell it, and perf events
  // tell somewhat more.
  void note_cpu(pid_t tid, uint64_t cpu_ns);
  // Never sampled: the agent's own threads.
  void exclude(pid_t tid);

  // The sampler's: arms the new of `alive`, marks those ended that are gone.
  void update(const std::vector<pid_t>& alive);
  // The spooler's: all threads now known; `changed` is reset by it. all_changed: everything is to be said
  // again.
  void view(std::vector<ThreadView>* threads, bool all_changed = false);
  // From now on all tick every interval_ns. A weight is what a thread used since its last sample, whatever
  // the rate.
  void set_interval(uint64_t interval_ns);
  // The ended thread's samples were taken: its slot may be used again.
  void release(uint32_t slot);
  // Closes every clock; each thread is as if it had ended. Returns the process's CPU time at that moment,
  // which is what the weights and tails add up to.
  uint64_t stop();
  // After stop(): waits until no tick can be at work on a thread of this table any more, at most so long.
  // False if one still may: then the table, its rings and the code map must stay.
  bool abandon(uint32_t patience_ms);
  // An id for a thread that is not sampled.
  base::ThreadId new_id();

  ThreadSlot* slots() { return slots_.data(); }
  // Slots below this number have been used.
  uint32_t slot_count() const;
  wire::SlotHeader* shared(uint32_t slot) const { return rings_.slot(slot); }
  // As it was made: what shared memory says of it is not believed.
  uint32_t ring_size() const { return rings_.ring_size(); }
  using Totals = SlotTotals;
  Totals totals() const;
  // The first thing that went wrong arming a thread, once.
  std::string take_problem();

 private:
  struct Entry;
  Entry* find(pid_t tid);
  void end(Entry& e);
  static uint64_t used_ns(const Entry& e);
  base::Status open_clock(Entry& e);
  void arm_locked(pid_t tid, bool managed, bool from_birth);

  mutable std::mutex mutex_;
  RingMemory& rings_;
  Clocking clocking_;  // under the lock
  const std::span<ThreadSlot> slots_ = thread_slots();
  std::vector<std::unique_ptr<Entry>> entries_;  // by slot; null = free
  std::unordered_map<pid_t, uint32_t> slot_of_;  // living threads
  std::vector<uint32_t> free_;
  std::vector<pid_t> excluded_;
  uint32_t next_id_ = 1;
  bool stopped_ = false;
  Totals gone_;
  std::minstd_rand random_;
  std::string problem_;
  bool problem_said_ = false;
};

}  // namespace walkabout::agent
