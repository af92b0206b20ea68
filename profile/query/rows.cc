#include "profile/query/rows.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

auto key(const Row& row) {
  return std::tie(row.bucket, row.source, row.thread, row.node, row.activity, row.labels);
}

void sort(std::vector<Row>& rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return key(a) < key(b); });
}

// Rows while they are summed: equal ones are one.
class RowTable {
 public:
  RowTable() : slots_(kFirstSlots, 0) {}
  void add(const Row& row, wire::Adding adding) {
    for (size_t slot = hash(row);; ++slot) {
      uint32_t& at = slots_[slot & (slots_.size() - 1)];
      if (at == 0) {
        rows_.push_back(row);
        at = static_cast<uint32_t>(rows_.size());
        if (rows_.size() * 2 > slots_.size()) grow();
        return;
      }
      Row& known = rows_[at - 1];
      if (key(known) != key(row)) continue;
      profile::add(row.sum, adding, known.sum);
      return;
    }
  }
  std::vector<Row> take() && {
    sort(rows_);
    return std::move(rows_);
  }

 private:
  static constexpr size_t kFirstSlots = 1024;

  static size_t hash(const Row& row) {
    constexpr uint64_t kOdd = 0x9e37'79b9'7f4a'7c15;  // 2^64 / the golden ratio
    uint64_t mixed = (uint64_t{row.bucket} << 32 | row.node) * kOdd;
    mixed = (mixed ^ mixed >> 32 ^ (uint64_t{row.thread} << 32 | row.labels)) * kOdd;
    mixed = (mixed ^ mixed >> 32 ^ (uint64_t{row.source} << 8 | static_cast<uint64_t>(row.activity))) * kOdd;
    return static_cast<size_t>(mixed >> 32);
  }
  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (size_t i = 0; i < rows_.size(); ++i) {
      size_t slot = hash(rows_[i]);
      while (slots_[slot & (slots_.size() - 1)] != 0) ++slot;
      slots_[slot & (slots_.size() - 1)] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<Row> rows_;
  // Open addressing, a power of two, at most half full. 0: empty, else the place of a row plus 1.
  std::vector<uint32_t> slots_;
};

Row row_of(const Sample& sample, const Grouping& grouping) {
  Row row;
  if (grouping.bucket_us != 0) row.bucket = static_cast<uint32_t>(sample.time_us / grouping.bucket_us);
  if (grouping.node) row.node = grouping.node_of == nullptr ? sample.node : (*grouping.node_of)[sample.node];
  if (grouping.thread) row.thread = sample.thread;
  if (grouping.activity) row.activity = sample.activity;
  if (grouping.labels) row.labels = sample.labels;
  return row;
}

// Of the value that a row of all sources has. By source.
std::vector<wire::Adding> addings(const Profile& profile) {
  std::vector<wire::Adding> out;
  for (size_t i = 0; i < profile.sources.size(); ++i)
    out.push_back(adding_of(profile, profile.view.value_or(View{static_cast<uint8_t>(i), 0})));
  if (out.empty()) out.push_back(wire::Adding::kSum);
  return out;
}

}  // namespace

wire::Adding adding_of(const Profile& profile, View view) {
  return profile.sources.empty() ? wire::Adding::kSum
                                 : profile.sources[view.source].values[view.value].adding;
}

void add(const Amount& amount, wire::Adding adding, Amount& to) {
  to.weight = adding == wire::Adding::kMax ? std::max(to.weight, amount.weight) : to.weight + amount.weight;
  to.samples += amount.samples;
}

// The same as rows(), of stacks and activities alone: a place for each.
std::vector<Row> activity_rows(const Profile& profile, View view) {
  constexpr auto kActivities = static_cast<size_t>(Activity::kCount);
  const wire::Adding adding = adding_of(profile, view);
  std::vector<uint32_t> places(profile.nodes.size() * kActivities);  // in rows, plus 1
  std::vector<Row> rows;
  for (const Sample& sample : profile.samples) {
    if (!is_in(profile, view, sample)) continue;
    uint32_t& place = places[sample.node * kActivities + static_cast<size_t>(sample.activity)];
    const Amount amount{weight_of(profile, view, sample), sample.count};
    if (place != 0) {
      add(amount, adding, rows[place - 1].sum);
      continue;
    }
    Row& row = rows.emplace_back();
    row.node = sample.node;
    row.activity = sample.activity;
    row.source = view.source;
    row.sum = amount;
    place = static_cast<uint32_t>(rows.size());
  }
  sort(rows);
  return rows;
}

std::vector<Row> rows(const Profile& profile, const Grouping& grouping, View view) {
  const wire::Adding adding = adding_of(profile, view);
  RowTable table;
  for (const Sample& sample : profile.samples) {
    if (!is_in(profile, view, sample)) continue;
    Row row = row_of(sample, grouping);
    row.source = view.source;
    row.sum = {weight_of(profile, view, sample), sample.count};
    table.add(row, adding);
  }
  return std::move(table).take();
}

std::vector<Row> rows_of_all(const Profile& profile, const Grouping& grouping) {
  const std::vector<wire::Adding> adding = addings(profile);
  RowTable table;
  for (const Sample& sample : profile.samples) {
    Row row = row_of(sample, grouping);
    row.source = sample.source;
    row.sum = {sample.weight, sample.count};
    table.add(row, adding[row.source]);
  }
  return std::move(table).take();
}

std::vector<Row> in_longer_buckets(const Profile& profile, std::vector<Row> rows) {
  const std::vector<wire::Adding> adding = addings(profile);
  RowTable table;
  for (Row& row : rows) {
    row.bucket /= 2;
    table.add(row, adding[row.source]);
  }
  return std::move(table).take();
}

}  // namespace walkabout::profile
