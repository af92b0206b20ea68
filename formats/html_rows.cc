#include "formats/html_rows.h"

#include <algorithm>
#include <utility>

#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

void leave_out_other_values(const profile::Profile& profile, std::vector<profile::Row>& rows) {
  const auto is_other = [&](const profile::Row& row) {
    return profile::is_of_another_value(profile::source_of(profile, {row.source, 0}), row.sum.weight);
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_other), rows.end());
}

}  // namespace

HtmlRows html_rows(const profile::Profile& profile, const HtmlTree& tree, size_t most_rows) {
  HtmlRows rows;
  const uint64_t last_sample = profile.samples.empty() ? 0 : profile.samples.back().time_us;
  const uint64_t last = std::max(profile.duration_us, last_sample);
  rows.bucket_us = last / kMostBuckets + 1;
  rows.buckets = static_cast<uint32_t>(last / rows.bucket_us) + 1;
  rows.rows = profile::rows_of_all(profile, {.bucket_us = rows.bucket_us,
                                             .thread = true,
                                             .activity = true,
                                             .labels = true,
                                             .node_of = &tree.node_of});
  leave_out_other_values(profile, rows.rows);
  while (rows.rows.size() > most_rows && rows.buckets > kFewestBuckets) {
    rows.rows = profile::in_longer_buckets(profile, std::move(rows.rows));
    rows.bucket_us *= 2;
    rows.buckets = (rows.buckets + 1) / 2;
  }
  return rows;
}

}  // namespace walkabout::formats
