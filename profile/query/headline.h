// Where all the time went, in a few words: the program's code, the framework's, and what the runtime did.
// The parts are disjoint; what is in none of them is markers and stubs. Work of the runtime below one percent
// is "runtime, other" (report and JSON have it each by each). Any thread, no state.
#pragma once

#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/rows.h"

namespace walkabout::profile {

struct HeadlinePart {
  std::string what;  // "your code", "framework", "JIT", "allocating"
  Amount amount;
  double share = 0;  // of all the time
};

// Your code, the framework's, then the others, heaviest first. Empty of events, which are no time. rows: of
// activity_rows(). REQUIRES: as managed_code().
std::vector<HeadlinePart> headline(const Profile& profile, View view, const std::vector<Row>& rows);

}  // namespace walkabout::profile
