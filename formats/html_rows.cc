#include "formats/html_rows.h"

#include <algorithm>
#include <tuple>

namespace walkabout::formats {
namespace {

auto key(const HtmlRow& row) { return std::tie(row.thread, row.node, row.activity); }

// Adds the rows of one bucket to `out`, equal ones as one.
void add_bucket(std::vector<HtmlRow>& bucket, std::vector<HtmlRow>& out) {
  std::sort(bucket.begin(), bucket.end(), [](const auto& a, const auto& b) { return key(a) < key(b); });
  const size_t first = out.size();
  for (const HtmlRow& row : bucket) {
    if (out.size() > first && key(out.back()) == key(row)) {
      out.back().weight += row.weight;
      out.back().count += row.count;
    } else {
      out.push_back(row);
    }
  }
  bucket.clear();
}

std::vector<HtmlRow> rows_of(const profile::Profile& profile, const HtmlTree& tree, uint64_t bucket_us) {
  std::vector<HtmlRow> bucket, out;
  for (const profile::Sample& sample : profile.samples) {
    const auto at = static_cast<uint32_t>(sample.time_us / bucket_us);
    if (!bucket.empty() && bucket.back().bucket != at) add_bucket(bucket, out);
    bucket.push_back(
        {at, sample.thread, tree.node_of[sample.node], sample.activity, sample.weight, sample.count});
  }
  add_bucket(bucket, out);
  return out;
}

void double_buckets(HtmlRows& rows) {
  std::vector<HtmlRow> bucket, out;
  for (HtmlRow row : rows.rows) {
    row.bucket /= 2;
    if (!bucket.empty() && bucket.back().bucket != row.bucket) add_bucket(bucket, out);
    bucket.push_back(row);
  }
  add_bucket(bucket, out);
  rows.rows = std::move(out);
  rows.bucket_us *= 2;
  rows.buckets = (rows.buckets + 1) / 2;
}

}  // namespace

HtmlRows html_rows(const profile::Profile& profile, const HtmlTree& tree, size_t most_rows) {
  HtmlRows rows;
  const uint64_t last_sample = profile.samples.empty() ? 0 : profile.samples.back().time_us;
  const uint64_t last = std::max(profile.duration_us, last_sample);
  rows.bucket_us = last / kMostBuckets + 1;
  rows.buckets = static_cast<uint32_t>(last / rows.bucket_us) + 1;
  rows.rows = rows_of(profile, tree, rows.bucket_us);
  while (rows.rows.size() > most_rows && rows.buckets > kFewestBuckets) double_buckets(rows);
  return rows;
}

}  // namespace walkabout::formats
