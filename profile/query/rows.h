// The one way to sum: the samples of a profile by what their reader wants to tell apart. Reports, formats and
// the page are made of such rows. Any thread, no state.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

// What keeps rows apart. What does not is 0 in all of them.
struct Grouping {
  uint64_t bucket_us = 0;  // spans of time of this length; 0: time does not matter
  bool node = true;        // the stack
  bool thread = false;
  bool activity = false;
  bool labels = false;
  // By node of the profile: the node that it counts as. Null: itself.
  const std::vector<uint32_t>* node_of = nullptr;
};

struct Row {
  uint32_t bucket = 0;
  uint32_t thread = 0;
  uint32_t node = 0;
  uint32_t labels = 0;  // index into label_sets
  Activity activity = Activity::kManaged;
  uint8_t source = 0;  // index into sources
  Amount sum;
};

// Of this view. Sorted by bucket, thread, node, activity, labels.
std::vector<Row> rows(const Profile& profile, const Grouping& grouping, View view);
// Of this view by stack and activity: what totals and headlines are made of.
std::vector<Row> activity_rows(const Profile& profile, View view);
// Of all sources, which stay apart; sums are of the first value of each, or of the profile's view. Sorted by
// bucket, source, and then as above.
std::vector<Row> rows_of_all(const Profile& profile, const Grouping& grouping);
// The same rows in spans of time that are twice as long.
std::vector<Row> in_longer_buckets(const Profile& profile, std::vector<Row> rows);

// How amounts of this view become one.
wire::Adding adding_of(const Profile& profile, View view);
void add(const Amount& amount, wire::Adding adding, Amount& to);

}  // namespace walkabout::profile
