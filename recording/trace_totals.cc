#include "recording/trace_totals.h"

#include <algorithm>
#include <utility>

#include "wire/counter_blocks.h"
#include "wire/trace_bucket.h"

namespace walkabout::recording {
namespace {

uint64_t at(const std::vector<uint64_t>& column, size_t i) { return i < column.size() ? column[i] : 0; }

constexpr uint64_t kFinest = 4096;  // spans of a recording: more than a time line shows

TraceTotals::Parts parts_of(const TraceFigures& figures) {
  return {figures.calls, figures.self, figures.self_cpu, figures.exceptions, figures.allocated};
}

}  // namespace

void TraceTotals::add(const wire::TraceNodes& r) {
  any_ = true;
  for (size_t i = 0; i < r.method.size(); ++i) {
    if (nodes_.size() >= kMostNodes) {
      ++left_out_;
      continue;
    }
    const uint64_t parent = at(r.parent, i);
    const bool is_good = parent < nodes_.size() && r.method[i] < wire::kMostCountedMethods;
    left_out_ += is_good ? 0 : 1;
    // One that is not good keeps its place, for ids are places; it is nobody's.
    nodes_.push_back(is_good ? Node{static_cast<uint32_t>(parent), static_cast<uint32_t>(r.method[i])}
                             : Node{0, wire::kMostCountedMethods});
  }
}

void TraceTotals::add(const wire::TraceTimes& r) {
  any_ = true;
  for (size_t i = 0; i < r.node.size(); ++i) {
    const uint64_t node = r.node[i];
    const uint64_t key = uint64_t{r.thread.value} << 32 | (node & UINT32_MAX);
    const auto known = row_of_.find(key);
    if (node == 0 || node >= nodes_.size() || (known == row_of_.end() && rows_.size() >= kMostRows)) {
      ++left_out_;
      continue;
    }
    const auto row = known != row_of_.end() ? known->second : static_cast<uint32_t>(rows_.size());
    if (known == row_of_.end()) {
      row_of_.emplace(key, row);
      rows_.push_back({r.thread, static_cast<uint32_t>(node), {}});
    }
    const Parts before = parts_of(rows_[row].figures);
    rows_[row].figures = {at(r.calls, i),    at(r.wall, i),     at(r.self, i),       at(r.cpu, i),
                          at(r.self_cpu, i), at(r.waiting, i),  at(r.exceptions, i), at(r.least, i),
                          at(r.most, i),     at(r.allocated, i)};
    Change change{r.time_us / span_us_ * span_us_, row, parts_of(rows_[row].figures)};
    for (size_t part = 0; part < before.size(); ++part)
      change.parts[part] -= std::min(before[part], change.parts[part]);
    changes_.push_back(change);
  }
  keep_changes_bounded(r.time_us);
}

// A span as long as the recording leaves one for each row at most.
void TraceTotals::keep_changes_bounded(uint64_t time_us) {
  const size_t most = std::max(kMostChanges, 2 * rows_.size());
  if (changes_.size() <= most) return;
  uint64_t span = std::max(2 * span_us_, time_us / kFinest);
  for (; changes_.size() > most / 2 && span < UINT64_MAX / 4; span *= 2) put_changes_together(span);
}

// What is of one row and one span of time.
void TraceTotals::put_changes_together(uint64_t span_us) {
  span_us_ = std::max(span_us_, span_us);
  for (Change& change : changes_) change.time_us = change.time_us / span_us_ * span_us_;
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.row != b.row ? a.row < b.row : a.time_us < b.time_us;
  });
  size_t kept = 0;
  for (size_t i = 0; i < changes_.size(); ++i) {
    if (kept != 0 && changes_[kept - 1].row == changes_[i].row &&
        changes_[kept - 1].time_us == changes_[i].time_us) {
      for (size_t part = 0; part < changes_[i].parts.size(); ++part)
        changes_[kept - 1].parts[part] += changes_[i].parts[part];
    } else {
      changes_[kept++] = changes_[i];
    }
  }
  changes_.resize(kept);
}

std::vector<TraceTotals::Change> TraceTotals::take_changes() {
  put_changes_together(span_us_);
  return std::move(changes_);
}

void TraceTotals::add(const wire::TraceSpread& r) {
  any_ = true;
  if (r.node == 0 || r.node >= nodes_.size()) {
    ++left_out_;
    return;
  }
  Spread& spread = spreads_[static_cast<uint32_t>(r.node)];
  spread.clear();
  for (size_t i = 0; i < std::min(r.bucket.size(), r.calls.size()); ++i) {
    if (r.bucket[i] < wire::kTraceBuckets && r.calls[i] != 0)
      spread.emplace_back(static_cast<uint32_t>(r.bucket[i]), r.calls[i]);
  }
}

void TraceTotals::add(const wire::TracedCall& r) {
  any_ = true;
  if (r.node == 0 || r.node >= nodes_.size() || calls_.size() >= kMostCalls) {
    ++left_out_;
    return;
  }
  calls_.push_back(r);
}

}  // namespace walkabout::recording
