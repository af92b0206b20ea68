// What the sampler knows of a thread from its last walks: when its wall-clock time is sampled next, how much
// of it that sample stands for, and whether the thread waits. Plain value; the sampler's thread.
//
// A stop costs the stopped thread CPU time of its own, so CPU time that has moved a little does not say that
// it ran. A thread whose registers are those of the walk before and that used less than a quarter of the time
// in between has waited there.
#pragma once

#include <cstdint>
#include <utility>

#include "base/ids.h"

namespace walkabout::agent {

class WallLook {
 public:
  // When, on CLOCK_MONOTONIC, and the thread's CPU time then.
  struct Moment {
    uint64_t time_ns = 0;
    uint64_t cpu_ns = 0;
  };
  // Where a walk found the thread.
  struct Place {
    uint64_t pc = 0;
    uint64_t sp = 0;
    bool operator==(const Place&) const = default;
  };
  // Wall-clock time at the stack that a walk found, and time that is known to have been spent elsewhere, not
  // running.
  struct Taken {
    uint64_t here_ns = 0;
    uint64_t nowhere_ns = 0;
  };

  // Of the thread that has the slot now; another one's look is forgotten. begin_ns: CLOCK_MONOTONIC, when it
  // was seen first.
  void of(base::ThreadId thread, uint64_t begin_ns, uint64_t cpu_ns) {
    if (thread_ == thread) return;
    *this = WallLook();
    thread_ = thread;
    sampled_ = {begin_ns, cpu_ns};
    cpu_ns_ = cpu_ns;
  }
  // At each tick. Whether it has used CPU time since the tick before.
  bool ran(uint64_t cpu_ns) {
    const bool ran = cpu_ns > cpu_ns_;
    cpu_ns_ = cpu_ns;
    return ran;
  }
  // Whether its last two walks found it waiting and it has used little CPU time since.
  bool waits(Moment now) const { return stood_ && is_little(walked_, now); }
  // At each walk, with the moment of the tick. Whether it has waited there since the walk before.
  bool stood(Place place, Moment now) {
    stood_ = place == place_ && is_little(walked_, now);
    place_ = place;
    walked_ = now;
    return stood_;
  }
  bool is_due(uint64_t now_ns, uint64_t period_ns) const { return now_ns >= sampled_.time_ns + period_ns; }
  // It is due and has no walk in this tick.
  void passed_over() { passed_over_ = true; }
  // The time since its sample before, which a sample taken now stands for. A thread that was passed over, and
  // is walked at once when it runs, would seem to have run all the time: where it used little CPU time it ran
  // for no more than that.
  Taken take(Moment now, bool running) {
    const Moment since = sampled_;
    const uint64_t all = now.time_ns > since.time_ns ? now.time_ns - since.time_ns : 0;
    sampled_ = {since.time_ns + all, now.cpu_ns};
    const bool late = std::exchange(passed_over_, false);
    const uint64_t here = running && late && is_little(since, now) ? used(since, now) : all;
    return {here, all - here};
  }

  // That much of it had no room: the next sample has it.
  void put_back(uint64_t ns) { sampled_.time_ns -= ns; }

 private:
  static constexpr uint64_t kLittle = 4;  // less than one part of so many of the time

  static uint64_t used(Moment since, Moment now) {
    return now.cpu_ns > since.cpu_ns ? now.cpu_ns - since.cpu_ns : 0;
  }
  static bool is_little(Moment since, Moment now) {
    return now.time_ns > since.time_ns && used(since, now) < (now.time_ns - since.time_ns) / kLittle;
  }

  base::ThreadId thread_;
  Moment sampled_, walked_;
  Place place_;
  uint64_t cpu_ns_ = 0;
  bool stood_ = false, passed_over_ = false;
};

}  // namespace walkabout::agent
