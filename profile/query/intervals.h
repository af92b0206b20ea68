// When events of one kind lasted: `report --during`. A sample of such an event stands at its end, and one of
// its values says how long it took. A collection's pause is one of all threads, other events are of theirs
// alone. Events that nest have each the time that was its own; the outer one's begin is found from those
// within. Made once, then any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::profile {

class Intervals {
 public:
  // Errors: no such event; its times are not those of single events. REQUIRES: the profile has no view, and
  // all samples of the event.
  static base::Result<Intervals> of(const Profile& profile, const std::string& event);

  // Begin exclusive, end inclusive: a sample of the event is in its own interval.
  bool has(uint32_t thread, uint64_t time_us) const;
  // What was summed without a moment is in no interval.
  uint64_t unplaced_ns() const { return unplaced_ns_; }
  uint64_t all_ns() const { return all_ns_; }

 private:
  struct Interval {
    uint64_t begin_us, end_us;
  };
  void add(std::vector<Interval>& intervals, uint64_t end_us, uint64_t own_us);

  bool of_all_threads_ = false;
  std::vector<std::vector<Interval>> by_thread_;  // in order; where they are of all threads, one list
  uint64_t unplaced_ns_ = 0;
  uint64_t all_ns_ = 0;
};

}  // namespace walkabout::profile
