// How a thread's wall-clock time divides, from looks at it that may be far apart. Pure.
//
// Between two looks a thread ran for as long as its CPU clock moved, and waited for a processor for as long
// as the scheduler says. That time is owed to samples of a running and of a runnable thread, which its ticks
// take along. The rest it was blocked. That time belongs to the places where the looks found it blocked:
//   it has not run since the last look     all of it to that place: it is certain
//   blocked before and now, ran between    to the place of now; after a long time without a look by halves
//   blocked before, runs now               to the place of before
//   ran before, blocked now                to the place of now
//   ran before and now                     it waits for the next look that finds it blocked
// Nothing is lost and nothing counts twice: what was divided adds up to the time since begin().
#pragma once

#include <cstdint>
#include <utility>

namespace walkabout::agent {

class WallAccount {
 public:
  // Of one look.
  struct Look {
    uint64_t now_ns = 0;     // CLOCK_MONOTONIC
    uint64_t cpu_ns = 0;     // the thread's CPU clock
    uint64_t waited_ns = 0;  // for a processor, since its birth
    bool knows_waits = false;
    bool blocked = false;  // or nobody knows that it is not; else it runs, or is about to
  };
  // Blocked time.
  struct Shares {
    uint64_t before = 0;  // of the place of the look before
    uint64_t here = 0;    // of the place of this look
  };

  // period_ns: looks that are not much further apart are not far apart.
  void begin(uint64_t now_ns, uint64_t cpu_ns, uint64_t period_ns);
  // It has not run since the last look, which found it blocked. Returns the time blocked there.
  uint64_t stood_still(uint64_t now_ns);
  Shares look(const Look& look);
  // It ran, and nobody asked for more. The next look divides the rest.
  void ran_on(uint64_t now_ns, uint64_t cpu_ns) { advance(now_ns, cpu_ns); }
  // Nobody looked for `ns` up to now, far longer than planned: the process was stopped, or this thread had no
  // processor. What it neither ran of that nor waited for a processor, which the next looks tell, is
  // blocked time nowhere.
  void interrupted(uint64_t now_ns, uint64_t cpu_ns, uint64_t ns);
  // It has ended. Returns what belongs to the place of the last look, if that found it blocked.
  uint64_t end(uint64_t now_ns, uint64_t cpu_ns);

  // What a running (runnable) thread's samples are to have yet; less than 0: they have more than they should.
  int64_t running_ns() const { return running_; }
  int64_t runnable_ns() const { return runnable_; }
  // What the thread's next tick is to take along: what is owed of the state that is owed more, and at least a
  // credit, so that a taken one tells that the thread ran. No more than `credit` is ever ahead of what it ran
  // and waited.
  struct Rider {
    bool running = true;  // else runnable
    uint64_t ns = 0;      // 0: none
  };
  Rider rider(uint64_t credit) const;
  void pay_running(uint64_t ns) { running_ -= static_cast<int64_t>(ns); }
  void pay_runnable(uint64_t ns) { runnable_ -= static_cast<int64_t>(ns); }
  // Blocked time at the place of the last look that found no room for its sample. Once another place is seen
  // it is nowhere: never that other place's.
  void wait_for_room(uint64_t ns) { waiting_ += ns; }
  uint64_t take_waiting() { return std::exchange(waiting_, 0); }
  void leave_place() { nowhere_ += take_waiting(); }
  // Blocked time whose place is not known (any more).
  uint64_t take_nowhere() { return std::exchange(nowhere_, 0); }
  void return_nowhere(uint64_t ns) { nowhere_ += ns; }
  // Blocked time that no sample has.
  void return_blocked(uint64_t ns) { blocked_ += static_cast<int64_t>(ns); }
  uint64_t take_blocked();
  // At the very end: what ticks took ahead is no time of its own.
  void settle();

  bool has_nothing() const {
    return running_ <= 0 && runnable_ <= 0 && blocked_ <= 0 && waiting_ == 0 && nowhere_ == 0 && unseen_ == 0;
  }

  uint64_t cpu_ns() const { return cpu_ns_; }
  uint64_t at_ns() const { return at_ns_; }
  bool was_blocked() const { return was_blocked_; }

 private:
  uint64_t advance(uint64_t now_ns, uint64_t cpu_ns);
  void leave_unseen() { nowhere_ += std::exchange(unseen_, 0); }

  uint64_t period_ns_ = 0;
  uint64_t at_ns_ = 0;   // of the last look
  uint64_t cpu_ns_ = 0;  // of its CPU clock, what was divided
  uint64_t waited_ns_ = 0;
  bool knows_waits_ = false;
  bool was_blocked_ = false;
  int64_t running_ = 0, runnable_ = 0;
  // Without a sample. A wait that is not over yet counts here, until it is: then it is taken off again.
  int64_t blocked_ = 0;
  uint64_t waiting_ = 0, nowhere_ = 0;
  // What it did not run of the time in which nobody looked: it may have waited for a processor, which the
  // scheduler's accounts say once it ran again, or blocks. Its CPU clock then.
  uint64_t unseen_ = 0, unseen_cpu_ns_ = 0;
};

}  // namespace walkabout::agent
