// The sampler thread: never ran managed code, so it may stop the others. Every tick it walks the threads, one
// at a time: first those that have used CPU time since their last sample, which is the weight of the new one;
// then, for the wall clock, the others (weight 0). Where that takes half of the tick, the next one goes on
// with those that were left. It rests between ticks: until the next is due, and at least as long as the last
// one took, but for this no longer than an interval.
#pragma once

#include <atomic>
#include <vector>

#include "agent/shared/collecting_thread.h"
#include "agent/shared/stop_request.h"
#include "agent/windows/own_thread.h"
#include "agent/windows/session/images.h"
#include "agent/windows/session/thread_walk.h"
#include "agent/windows/thread_table.h"

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
  };
  Sampler(const Parts& parts, const ThreadWalk::Setup& setup) : parts_(parts), walk_(setup) {}
  base::Status start();
  void stop();
  // Set once start() has returned.
  std::atomic<pid_t>& tid() { return tid_; }
  // After stop().
  const Figures& figures() const { return walk_.figures(); }

 private:
  void run();
  void tick();
  void look();
  void sample(const Target& target, uint64_t cpu_ns);

  Parts parts_;
  ThreadWalk walk_;
  std::vector<Target> targets_;
  std::vector<uint64_t> cpu_ns_;  // of each target, as the tick began
  size_t next_ = 0;               // the waiting target the tick begins with
  uint64_t next_listing_ns_ = 0;
  StopRequest stop_;
  std::atomic<pid_t> tid_{0};
  OwnThread thread_;
};

}  // namespace walkabout::agent
