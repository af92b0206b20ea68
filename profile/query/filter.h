// A part of a profile as a profile of its own: one event, some threads, a span of time, samples through some
// function, without the runtime's own frames. Any thread, no state.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/model/profile.h"
#include "profile/query/focus.h"

namespace walkabout::profile {

struct Filter {
  std::string event;  // find_view() (profile/query/view.h)
  std::string value;
  std::string thread;  // a TID, or part of a name in any case; empty: all
  uint64_t from_us = 0;
  uint64_t to_us = std::numeric_limits<uint64_t>::max();  // exclusive
  std::vector<std::string> during;      // only samples within an event of each of these kinds
  std::vector<std::string> not_during;  // and none within one of these (profile/query/intervals.h)
  std::string focus;          // regular expression (ECMAScript) that a frame's name must contain; empty: all
  bool hide_runtime = false;  // native frames of the CLR and its stubs disappear; their time goes to the
                              // method that called them, or to a row "[runtime]" where no method did

  bool by_events() const { return !during.empty() || !not_during.empty(); }
};

// Whether the filter is one: `focus` is a regular expression.
base::Status check(const Filter& filter);

// Whether all samples of the event stay.
bool leaves_all(const Filter& filter);

bool is_wanted(const std::string& thread_name, uint32_t tid, const Filter& filter);

// Has a view. Errors: no such event, value or thread (the message lists those there are), a regular
// expression that is none. REQUIRES: the profile has no view; for `during`, all samples of those events.
base::Result<Profile> filtered(Profile profile, const Filter& filter);

}  // namespace walkabout::profile
