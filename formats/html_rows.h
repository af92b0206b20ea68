// Samples of the HTML report, added up by (time bucket, thread, node, activity): what a page needs to show
// any choice of time and threads, in a size that does not grow with the length of the recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/html_tree.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

struct HtmlRow {
  uint32_t bucket = 0;
  uint32_t thread = 0;
  uint32_t node = 0;  // of the HtmlTree
  profile::Activity activity = profile::Activity::kManaged;
  uint64_t weight = 0;
  uint64_t count = 0;  // samples
};

struct HtmlRows {
  uint64_t bucket_us = 1;
  uint32_t buckets = 1;
  std::vector<HtmlRow> rows;  // sorted by bucket, thread, node, activity
};

inline constexpr uint32_t kMostBuckets = 4096;   // finer than a screen is wide
inline constexpr uint32_t kFewestBuckets = 512;  // coarser ones would be seen
inline constexpr size_t kMostRows = 500'000;     // aimed at by doubling the buckets' length

// REQUIRES: samples in time order, their nodes in range.
HtmlRows html_rows(const profile::Profile& profile, const HtmlTree& tree, size_t most_rows = kMostRows);

}  // namespace walkabout::formats
