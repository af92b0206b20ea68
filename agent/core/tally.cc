#include "agent/core/tally.h"

#include <algorithm>
#include <new>

namespace walkabout::agent {
namespace {

using wire::Sums;

constexpr size_t kMostRowProbes = 64;

uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

uint64_t hash_of(const Tally::Sum& key) {
  uint64_t hash = mixed(key.thread.value, key.source.value);
  for (const uint64_t label : key.labels) hash = mixed(hash, label);
  return hash;
}

Tally::Sum key_of(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> labels) {
  Tally::Sum key{thread, source, {}, {}};
  std::copy_n(labels.begin(), std::min(labels.size(), Tally::kMostLabels), key.labels.begin());
  return key;
}

bool is(const Tally::Row& row, const Tally::Sum& key) {
  return row.thread == key.thread.value && row.source == key.source.value &&
         std::equal(key.labels.begin(), key.labels.end(), row.labels);
}

void begin_row(Tally::Row& row, const Tally::Sum& key, uint32_t largest) {
  row.thread = key.thread.value;
  row.source = key.source.value;
  std::copy(key.labels.begin(), key.labels.end(), row.labels);
  for (std::atomic<uint64_t>& value : row.values) value.store(0, std::memory_order_relaxed);
  row.largest = largest;
  row.newest.store(0, std::memory_order_relaxed);
  row.walked = false;
  for (wire::EmittedSum& emitted : row.emitted) emitted = {};
}

}  // namespace

base::Status Tally::begin(Rings& rings) {
  if (base::Status s = rings.back_sums(); !s.ok()) return s;
  sums_ = new (rings.sums()) Sums;
  own_.reset();
  return {};
}

// A key is of one thread, so nobody else inserts it; another thread may take a free row first.
Tally::Row* Tally::find(const Sum& key, uint32_t largest) {
  const uint64_t hash = std::max(hash_of(key), Sums::kLeastHash);
  for (;;) {
    size_t free_row = kMostRows;
    for (size_t probe = 0; probe < kMostRowProbes; ++probe) {
      const size_t at = (hash + probe) % kMostRows;
      const uint64_t known = sums_->keys[at].load(std::memory_order_acquire);
      if (known == hash && is(sums_->rows[at], key)) return &sums_->rows[at];
      if (known <= Sums::kFreed && free_row == kMostRows) free_row = at;
      if (known == 0) break;
    }
    if (free_row == kMostRows) return nullptr;
    std::atomic<uint64_t>& place = sums_->keys[free_row];
    uint64_t known = place.load(std::memory_order_relaxed);
    if (known > Sums::kFreed ||
        !place.compare_exchange_strong(known, Sums::kBeingWritten, std::memory_order_acquire))
      continue;
    begin_row(sums_->rows[free_row], key, largest);
    used_.fetch_add(1, std::memory_order_relaxed);
    place.store(hash, std::memory_order_release);  // partner: take(), find()
    return &sums_->rows[free_row];
  }
}

Tally::Row* Tally::row(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> labels,
                       uint32_t largest) {
  return find(key_of(thread, source, labels), largest);
}

bool Tally::add(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> values,
                std::span<const uint64_t> labels, uint32_t largest) {
  Row* sum = row(thread, source, labels, largest);
  if (sum == nullptr) sum = row(thread, source, {}, largest);
  if (sum == nullptr) {
    lose(source);
    return false;
  }
  add(*sum, values);
  return true;
}

void Tally::add(Row& row, std::span<const uint64_t> values) {
  for (size_t i = 0; i < std::min(values.size(), kMostValues); ++i) {
    if (!row.is_largest(i))
      wire::add_alone(row.values[i], values[i]);
    else if (row.values[i].load(std::memory_order_relaxed) < values[i])  // nobody else raises it
      row.values[i].store(values[i], std::memory_order_relaxed);
  }
}

bool Tally::read(const Row& row, Sum* sum) {
  sum->thread = base::ThreadId(row.thread);
  sum->source = base::SourceId(row.source);
  std::copy(std::begin(row.labels), std::end(row.labels), sum->labels.begin());
  const wire::EmittedSum& last = row.emitted[row.newest.load(std::memory_order_relaxed)];
  for (size_t i = 0; i < kMostValues; ++i) sum->values[i] = row.added(i, last);
  return std::any_of(sum->values.begin(), sum->values.end(), [](uint64_t value) { return value != 0; });
}

void Tally::note_emitted(Row& row, const Sum& sum) {
  const uint32_t newest = row.newest.load(std::memory_order_relaxed);
  wire::EmittedSum& next = row.emitted[1 - newest];
  next.index = emitted_[{sum.thread, sum.source}]++;
  for (size_t i = 0; i < kMostValues; ++i)
    next.values[i] = row.is_largest(i) ? sum.values[i] : row.emitted[newest].values[i] + sum.values[i];
  row.newest.store(1 - newest, std::memory_order_release);  // partner: who reads it when we have died
  for (size_t i = 0; i < kMostValues; ++i) {
    uint64_t largest = sum.values[i];
    if (row.is_largest(i)) row.values[i].compare_exchange_strong(largest, 0, std::memory_order_relaxed);
  }
}

void Tally::free_row(size_t index) {
  sums_->keys[index].store(Sums::kFreed, std::memory_order_release);
  used_.fetch_sub(1, std::memory_order_relaxed);
}

void Tally::free_rows_of(base::ThreadId thread) {
  emitted_.erase(emitted_.lower_bound({thread, base::SourceId()}),
                 emitted_.lower_bound({base::ThreadId(thread.value + 1), base::SourceId()}));
  for (size_t i = 0; i < kMostRows && rows_used() != 0; ++i) {
    if (sums_->keys[i].load(std::memory_order_acquire) >= Sums::kLeastHash &&  // partner: find()
        sums_->rows[i].thread == thread.value)
      free_row(i);
  }
}

}  // namespace walkabout::agent
