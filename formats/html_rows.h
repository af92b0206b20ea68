// Samples of the HTML report, added up by (time bucket, source, thread, node, activity, labels): what a page
// needs to show any choice of time and threads, in a size that does not grow with the length of the
// recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/html_tree.h"
#include "profile/model/profile.h"
#include "profile/query/rows.h"

namespace walkabout::formats {

struct HtmlRows {
  uint64_t bucket_us = 1;
  uint32_t buckets = 1;
  std::vector<profile::Row> rows;  // of all sources; nodes are of the HtmlTree
};

inline constexpr uint32_t kMostBuckets = 4096;   // finer than a screen is wide
inline constexpr uint32_t kFewestBuckets = 512;  // coarser ones would be seen
inline constexpr size_t kMostRows = 500'000;     // aimed at by doubling the buckets' length

// REQUIRES: samples in time order, their nodes in range.
HtmlRows html_rows(const profile::Profile& profile, const HtmlTree& tree, size_t most_rows = kMostRows);

}  // namespace walkabout::formats
