// The sampler thread: never ran managed code, so it may stop the others. Every tick it walks the threads, one
// at a time: first those that have used CPU time since their last sample, but for threads that only wait
// (WallLook); then those whose wall-clock time is due; then the others. Where that takes half of the tick,
// the next one goes on with those that were left. It rests between ticks: until the next is due, and at least
// as long as the last one took, but for this no longer than an interval.
//
// The weight of a sample is the CPU time since the one before. Of a thread that waits, what its CPU time
// moved during the walk is the walk's, and in no weight.
//
// Wall-clock time: a walk of a thread whose last such sample is a period ago makes another sample, which
// stands for the time since then. The thread was running where its CPU time has moved since the tick before,
// and it does not stand where the walk before found it (WallLook).
#pragma once

#include <atomic>
#include <vector>

#include "agent/shared/collecting_thread.h"
#include "agent/shared/pages.h"
#include "agent/shared/stop_request.h"
#include "agent/windows/own_thread.h"
#include "agent/windows/session/images.h"
#include "agent/windows/session/thread_walk.h"
#include "agent/windows/thread_table.h"
#include "agent/windows/wall_look.h"

namespace walkabout::agent {

class Spooler;

class Sampler {
 public:
  struct Parts {
    ThreadTable& threads;
    Images& images;
    Spooler& spooler;
    const CollectingThread& collecting;
    uint64_t interval_ns;
    uint32_t depth;
    bool cpu = true;       // CPU time makes samples
    uint64_t wall_ns = 0;  // the period of wall-clock time; 0: it makes none
  };
  Sampler(const Parts& parts, const ThreadWalk::Setup& setup)
      : parts_(parts), walk_(setup), scratch_(parts.cpu ? 0 : room() / sizeof(uint64_t)) {}
  base::Status start();
  void stop();
  // Set once start() has returned.
  std::atomic<pid_t>& tid() { return tid_; }
  // After stop().
  const Figures& figures() const { return walk_.figures(); }

 private:
  // Of the largest sample without values and labels.
  uint32_t room() const {
    return static_cast<uint32_t>(sizeof(wire::RawSample) + parts_.depth * 2 * sizeof(wire::Frame));
  }
  void run();
  void tick();
  void look();
  // What is known of a target as the tick begins.
  struct State {
    WallLook::Moment at;
    bool ran = false;     // since the tick before
    bool walked = false;  // in this tick
  };
  State begin(const Target& target);
  bool is_first(const Target& target, const State& state);
  void walk_waiting(uint64_t until_ns, bool due, size_t* next);
  void sample(const Target& target, State& state);
  bool is_wall_due(const Target& target);
  ThreadWalk::Result walk(const Target& target, wire::RawSample* sample);
  void add_cpu(const Target& target, uint64_t cpu_ns, wire::Producer& ring, wire::RawSample* sample);
  void add_wall(const Target& target, const State& state, bool running, const wire::RawSample& walked);
  bool put_wall(const Target& target, wire::ThreadState state, uint64_t ns, const wire::RawSample& walked);

  Parts parts_;
  ThreadWalk walk_;
  std::vector<Target> targets_;
  std::vector<State> states_;  // of each target
  PagedArray<WallLook> looks_{wire::kMaxSlots};
  std::vector<uint64_t> scratch_;  // for a stack that makes no sample of CPU time
  size_t next_due_ = 0,
         next_ = 0;  // the waiting target the tick begins with, of those that are due and of all
  uint64_t next_listing_ns_ = 0;
  StopRequest stop_;
  std::atomic<pid_t> tid_{0};
  OwnThread thread_;
};

}  // namespace walkabout::agent
