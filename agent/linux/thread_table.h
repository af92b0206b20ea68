// Every thread of the process that is sampled: its slot, clock and names, from its first sight to its last
// sample.
//
// Threads arm themselves in the CLR's callback; the sampler's scan of the task list arms the ones the CLR
// does not announce and notices the dead; the spooler takes the samples and frees the slots. One lock, never
// held across a call into the CLR and never taken by the handler. The clocks are open in the host's table.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/linux/cpu_clock.h"
#include "agent/linux/descriptor_host.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/switch_rate.h"
#include "agent/shared/thread_register.h"
#include "base/linux/tick_sources.h"
#include "base/mutex.h"
#include "clr/abi/types.h"

namespace walkabout::agent {

struct SampledThread : ThreadEntry {
  CpuClock clock;
  uint64_t cpu_at_start_ns = 0;  // the thread's CPU clock when its perf clock began to count
  uint64_t seen_cpu_ns = 0;      // its CPU clock when it was last looked at
  uint64_t ahead_ns = 0;         // how far its perf clock was ahead of that then
  bool refused = false;          // it ticks by a timer, because its perf event was refused
  bool by_timer = false;         // it does, because it is switched often
  bool was_by_timer = false;     // once at least
  bool keeps_event = false;      // it has a perf event, however often it is switched
  bool blocks = false;           // it has no clock, because it blocks the signal that ticks come as
  SwitchRate switches;
  uint64_t ending_ns = 0;  // CLOCK_MONOTONIC, when its end was seen; 0: it lives
};

class ThreadTable : public ThreadRegister<SampledThread> {
 public:
  struct Clocking {
    wire::Engine engine;
    bool kernel_ticks;
    uint64_t interval_ns;
    int signal;
    bool may_use_timers = false;  // in place of perf events, where a thread is switched often
    bool ticks = true;  // false: until give_clocks() no thread has a clock, and CPU time makes no samples
  };
  ThreadTable(DescriptorHost& host, Rings& rings, const Clocking& clocking);
  // REQUIRES: no tick is at work on its threads (abandon()).
  ~ThreadTable();

  DescriptorHost& host() const { return host_; }
  // Threads that are armed from now on have clocks.
  void give_clocks();
  // Arms a thread: the calling one (a CLR callback) or one the scan found. No-op when it is armed already,
  // but for what is new about it. clr: the runtime's own object for it, 0 for a thread it does not know.
  // from_start: all its CPU time is ours; else only what it uses from now on.
  void arm(pid_t tid, clr::ThreadID clr, bool from_start);
  // Arms those that are there when a recording begins. What they use from this call on is ours, not from the
  // moment their clock is made: that takes a while for many threads, which run meanwhile.
  void arm_present(const std::vector<pid_t>& tids);
  // The slot of the calling thread, which is outside of the handler, with a ring for what it captures there.
  // Null where it has none: it is not armed. Where there is no memory for that ring the captures are dropped.
  ThreadSlot* callback_slot();
  // A slot for the calling thread, one of the agent's own, whose captures are of other threads. It keeps it
  // until the recording's end. Null where there is none to be had.
  ThreadSlot* add_writer();
  // A thread of the program, until its last sample was taken.
  struct Living {
    base::ThreadId id;
    pid_t tid = 0;
    uint32_t slot = 0;
    uint64_t stack_lo = 0, stack_hi = 0;  // 0: not known
    uint64_t first_seen_ns = 0;           // CLOCK_MONOTONIC
    uint64_t counted_from_ns = 0;         // its CPU time before that is not ours
    uint64_t runtime_thread = 0;          // the CLR's Thread object, if known
    uint64_t ending_ns = 0;               // CLOCK_MONOTONIC; 0: it lives
    uint64_t used_ns = 0;                 // its CPU time then
    uint64_t untaken = 0;                 // of one whose slot was released: what waited there for a tick
  };
  static constexpr size_t kMostReleased = 1 << 14;
  // Another number than before: what living() says has changed.
  uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
  void living(std::vector<Living>* threads) const;
  // From now on the table keeps an entry of each thread that it releases, until living() returns it. It keeps
  // kMostReleased between two calls, and drops those that come after.
  void keep_released();
  // Also moves the entries of threads that were released since the last call into `released`.
  void living(std::vector<Living>* threads, std::vector<Living>* released);
  // For the thread's next tick; false where it has ended, or has no clock. Not for writers.
  bool leave_rider(const Living& thread, base::SourceId source, uint64_t value,
                   const std::array<uint64_t, kMostRiderLabels>& label, uint32_t labels);
  // What of it no tick took; 0 where all was taken. Of a thread that has ended too, until living() has listed
  // its release.
  uint64_t take_back_rider(const Living& thread);
  // The thread that has this slot now; none: nobody has, or it is a writer's.
  std::optional<Living> living_at(uint32_t slot) const;
  // A clock of its own for one tick of that thread, as soon as it has run a little, with `data` in a slot's
  // place. It is the caller's, who has the host's table. Refused where the thread has no clock for its ticks.
  base::Status open_asking_clock(const Living& thread, uint32_t data, CpuClock* clock);
  // The runtime's object is no more.
  void clear_clr_thread(clr::ThreadID clr);
  // end: where it cannot grow beyond; 0: not known.
  void set_stack(pid_t tid, uint64_t lo, uint64_t hi, uint64_t end);
  // The calling thread's CPU time, shortly before its end. Afterwards timers do not tell it, and perf events
  // tell somewhat more.
  void note_cpu(pid_t tid, uint64_t cpu_ns);

  // The sampler's: arms the new of `alive`, marks those ended that are gone.
  void update(const std::vector<pid_t>& alive);
  // Those that began lately and have no clock, because they block the ticks' signal, have one if they do not
  // any more: glibc blocks all signals while a thread begins. False: there are none that still block it.
  bool look_at_beginners();
  // From now on all tick every interval_ns. A weight is what a thread used since its last sample, whatever
  // the rate.
  void set_interval(uint64_t interval_ns);
  // From now on ticks come as `signal`, and none falls inside a system call: every clock is made anew.
  // traps_stay: those whose ticks are traps keep them.
  // Returns how many clocks were made anew.
  size_t move_to(int signal, bool traps_stay);
  // The ended thread's samples were taken: its slot may be used again.
  void release(uint32_t slot);
  // What the user should know about the clocks: how many threads had a lesser one than the others, or none.
  // After stop().
  std::vector<std::string> shortcomings() const;
  // How many threads ticked by a timer for a while, because they were switched often; empty: none.
  std::string timers_note() const;
  // Closes every clock; each thread is as if it had ended. Returns the process's CPU time at that moment,
  // which is what the weights and tails add up to.
  uint64_t stop();
  // After stop(): waits until no tick can be at work on a thread of this table any more, at most so long.
  // False if one still may: then the table, its rings and the code map must stay.
  bool abandon(uint32_t timeout_ms);

  // The name the kernel has of it; empty when it is gone.
  std::string os_name(pid_t tid);

  ThreadSlot* slots() { return slots_.data(); }
  // Slots below this number have been used. No lock.
  uint32_t slot_count() const { return slot_count_.load(std::memory_order_acquire); }

 private:
  ThreadSlot* open_callback_lane(uint32_t slot) WALKABOUT_REQUIRES(mutex_);
  void prepare_slot(const SampledThread& thread) WALKABOUT_REQUIRES(mutex_);
  const SampledThread* entry_of(base::ThreadId id) const WALKABOUT_REQUIRES(mutex_);
  Living living_of(const SampledThread& entry) const WALKABOUT_REQUIRES(mutex_);
  void list_living(std::vector<Living>* threads) const WALKABOUT_REQUIRES(mutex_);
  void end(SampledThread& thread) WALKABOUT_REQUIRES(mutex_);
  void end(SampledThread& thread, uint64_t used_ns) WALKABOUT_REQUIRES(mutex_);
  void count_unsampled(const SampledThread& thread, uint64_t used_ns) WALKABOUT_REQUIRES(mutex_);
  static uint64_t used_ns(const SampledThread& thread);
  uint64_t first_period_ns() WALKABOUT_REQUIRES(mutex_);
  base::Status open_clock(SampledThread& thread) WALKABOUT_REQUIRES(mutex_);
  base::Status open_anew(SampledThread& thread) WALKABOUT_REQUIRES(mutex_);
  void look_at_blocked(SampledThread& thread) WALKABOUT_REQUIRES(mutex_);
  void look_at_switches(SampledThread& thread) WALKABOUT_REQUIRES(mutex_);
  bool may_tick_by_timer(const SampledThread& thread) WALKABOUT_REQUIRES(mutex_);
  static bool has_clock(const SampledThread& thread);
  void change_clock(SampledThread& thread, ThreadClock clock) WALKABOUT_REQUIRES(mutex_);
  base::Status open_event(SampledThread& thread, uint64_t first_ns) WALKABOUT_REQUIRES(mutex_);
  base::Status open_perf(SampledThread& thread, uint64_t first_ns) WALKABOUT_REQUIRES(mutex_);
  base::Status open_trap(SampledThread& thread, uint64_t first_ns) WALKABOUT_REQUIRES(mutex_);
  base::Status open_filtered(pid_t tid, uint32_t data, uint64_t first_ns, CpuClock* clock)
      WALKABOUT_REQUIRES(mutex_);
  uint64_t count_living(std::vector<std::pair<SampledThread*, uint64_t>>& living) WALKABOUT_REQUIRES(mutex_);
  void update_locked(const std::vector<pid_t>& alive) WALKABOUT_REQUIRES(mutex_);
  void look_at_those_without_ring() WALKABOUT_REQUIRES(mutex_);
  void end_without_ring(pid_t tid, const WithoutRing& thread) WALKABOUT_REQUIRES(mutex_);
  void arm_locked(pid_t tid, clr::ThreadID clr, uint64_t counted_from_ns) WALKABOUT_REQUIRES(mutex_);

  DescriptorHost& host_;
  Clocking clocking_ WALKABOUT_GUARDED_BY(mutex_);
  const uint64_t kernel_tick_ns_ = base::kernel_tick_ns();
  const std::span<ThreadSlot> slots_ = thread_slots();
  std::atomic<uint64_t> changes_{0};
  bool keeps_released_ WALKABOUT_GUARDED_BY(mutex_) = false;
  std::vector<Living> released_ WALKABOUT_GUARDED_BY(mutex_);
  std::minstd_rand random_ WALKABOUT_GUARDED_BY(mutex_);
  // Threads that have ended and whose perf event was refused, under the lock. Without a timer either they
  // were not sampled.
  struct Refused {
    uint32_t threads = 0;
    uint64_t cpu_ns = 0;
    std::string cause;  // the last one's
  };
  Refused by_timer_ WALKABOUT_GUARDED_BY(mutex_), unsampled_ WALKABOUT_GUARDED_BY(mutex_);
  bool has_ring_ WALKABOUT_GUARDED_BY(mutex_) = false;  // of io_uring, when that was looked at
  uint64_t ring_looked_ns_ WALKABOUT_GUARDED_BY(mutex_) = 0;
  uint32_t switched_often_ WALKABOUT_GUARDED_BY(mutex_) = 0;  // threads that ticked by a timer therefore
  // Of ticks inside system calls, once there are any, in the host's own table.
  int filter_ WALKABOUT_GUARDED_BY(mutex_) = -1;
};

}  // namespace walkabout::agent
