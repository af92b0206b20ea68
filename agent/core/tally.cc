#include "agent/core/tally.h"

#include <algorithm>

namespace walkabout::agent {
namespace {

constexpr size_t kMostProbes = 64;

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

}  // namespace

// A key is of one thread, so nobody else inserts it; another thread may take a free row first.
Tally::Row* Tally::find(const Sum& key) {
  const uint64_t hash = std::max(hash_of(key), kLeastHash);
  for (;;) {
    size_t free_row = kMostRows;
    for (size_t probe = 0; probe < kMostProbes; ++probe) {
      const size_t at = (hash + probe) % kMostRows;
      const uint64_t known = keys_[at].load(std::memory_order_acquire);
      if (known == hash && is(rows_[at], key)) return &rows_[at];
      if (known <= kFreed && free_row == kMostRows) free_row = at;
      if (known == 0) break;
    }
    if (free_row == kMostRows) return nullptr;
    uint64_t known = keys_[free_row].load(std::memory_order_relaxed);
    if (known > kFreed ||
        !keys_[free_row].compare_exchange_strong(known, kBeingWritten, std::memory_order_acquire))
      continue;
    rows_[free_row].key = key;
    rows_[free_row].walked = false;
    used_.fetch_add(1, std::memory_order_relaxed);
    keys_[free_row].store(hash, std::memory_order_release);  // partner: take(), find()
    return &rows_[free_row];
  }
}

Tally::Row* Tally::row(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> labels) {
  return find(key_of(thread, source, labels));
}

bool Tally::add(base::ThreadId thread, base::SourceId source, std::span<const uint64_t> values,
                std::span<const uint64_t> labels, uint32_t largest) {
  Row* sum = row(thread, source, labels);
  if (sum == nullptr) sum = row(thread, source, {});
  if (sum == nullptr) {
    lose(source);
    return false;
  }
  add(*sum, values, largest);
  return true;
}

void Tally::add(Row& row, std::span<const uint64_t> values, uint32_t largest) {
  for (size_t i = 0; i < std::min(values.size(), kMostValues); ++i) {
    if ((largest >> i & 1) == 0)
      row.values[i].fetch_add(values[i], std::memory_order_relaxed);
    else if (row.values[i].load(std::memory_order_relaxed) < values[i])  // nobody else raises it
      row.values[i].store(values[i], std::memory_order_relaxed);
  }
}

bool Tally::take_row(Row& row, Sum* sum) {
  *sum = row.key;
  bool any = false;
  for (size_t i = 0; i < kMostValues; ++i) {
    sum->values[i] = row.values[i].load(std::memory_order_relaxed) == 0
                         ? 0
                         : row.values[i].exchange(0, std::memory_order_relaxed);
    any = any || sum->values[i] != 0;
  }
  return any;
}

void Tally::free_rows_of(base::ThreadId thread) {
  for (size_t i = 0; i < kMostRows && rows_used() != 0; ++i) {
    if (keys_[i].load(std::memory_order_relaxed) < kLeastHash || rows_[i].key.thread != thread) continue;
    keys_[i].store(kFreed, std::memory_order_release);
    used_.fetch_sub(1, std::memory_order_relaxed);
  }
}

}  // namespace walkabout::agent
