#include "precompiled/native_format.h"

#include <algorithm>

namespace walkabout::precompiled {
namespace {

constexpr uint32_t kBlock = 16;  // entries of an array that share a tree
constexpr int kMostShift = 24;   // of buckets

// An unsigned number of 1, 2 or 4 bytes: log is 0, 1 or 2.
std::optional<uint32_t> load_sized(Bytes bytes, uint64_t offset, uint8_t log) {
  if (log == 0) return load<uint8_t>(bytes, offset);
  if (log == 1) return load<uint16_t>(bytes, offset);
  return load<uint32_t>(bytes, offset);
}

}  // namespace

uint8_t NativeCursor::byte() {
  const auto value = load<uint8_t>(bytes_, offset_);
  ok_ = ok_ && value.has_value();
  if (!ok_) return 0;
  ++offset_;
  return *value;
}

// The low bits of the first byte say how many follow.
uint32_t NativeCursor::number() {
  const uint32_t first = byte();
  int more = 0;
  while (more < 4 && (first >> more & 1) != 0) ++more;
  if (more == 4) {
    if ((first & 16) != 0) ok_ = false;
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value |= uint32_t{byte()} << (8 * i);
    return ok_ ? value : 0;
  }
  uint32_t value = first >> (more + 1);
  for (int i = 0; i < more; ++i) value |= uint32_t{byte()} << (7 - more + 8 * i);
  return ok_ ? value : 0;
}

int32_t NativeCursor::signed_number() {
  const uint64_t begin = offset_;
  const uint32_t value = number();
  const auto bits = static_cast<int>(offset_ - begin) * 7;  // five bytes: all 32
  if (!ok_ || bits > 28) return static_cast<int32_t>(value);
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

NativeArray::NativeArray(Bytes bytes) : bytes_(bytes) {
  NativeCursor cursor(bytes, 0);
  const uint32_t header = cursor.number();
  if (!cursor.ok() || header >> 2 > kMostEntries) return;
  size_ = header >> 2;
  entry_size_ = header & 3;
  base_ = cursor.offset();
}

std::optional<uint64_t> NativeArray::find(uint32_t index) const {
  if (index >= size_) return std::nullopt;
  const uint8_t log = std::min<uint8_t>(entry_size_, 2);
  const auto root = load_sized(bytes_, base_ + (uint64_t{index / kBlock} << log), log);
  if (!root) return std::nullopt;
  uint64_t at = base_ + *root;
  // A tree of four levels: each node says which of its halves there are, and where the upper one is.
  for (uint32_t bit = kBlock / 2; bit > 0; bit /= 2) {
    NativeCursor cursor(bytes_, at);
    const uint32_t node = cursor.number();
    if (!cursor.ok()) return std::nullopt;
    const bool upper = (index & bit) != 0;
    if (upper && (node & 2) != 0) {
      at += node >> 2;
    } else if (!upper && (node & 1) != 0) {
      at = cursor.offset();
    } else if ((node & 3) == 0 && node >> 2 == index % kBlock) {
      return cursor.offset();  // the block's only entry
    } else {
      return std::nullopt;
    }
  }
  return at;
}

bool for_each_hashed(Bytes table, const std::function<void(uint64_t)>& visit) {
  if (table.empty()) return true;
  const auto header = load<uint8_t>(table, 0);
  if (!header || *header >> 2 > kMostShift || (*header & 3) > 2) return false;
  const uint8_t log = *header & 3;
  constexpr uint64_t kBase = 1;
  const uint64_t buckets = uint64_t{1} << (*header >> 2);
  uint64_t last = 0;  // buckets lie one behind the other: none is read twice
  for (uint64_t i = 0; i < buckets; ++i) {
    const auto begin = load_sized(table, kBase + (i << log), log);
    const auto end = load_sized(table, kBase + ((i + 1) << log), log);
    if (!begin || !end || *begin < last || *end < *begin) return false;
    last = *end;
    NativeCursor cursor(table, kBase + *begin);
    while (cursor.ok() && cursor.offset() < kBase + *end) {
      cursor.byte();  // of the hash
      const uint64_t at = cursor.offset();
      const int64_t entry = static_cast<int64_t>(at) + cursor.signed_number();
      if (!cursor.ok() || entry < 0) return false;
      visit(static_cast<uint64_t>(entry));
    }
  }
  return true;
}

}  // namespace walkabout::precompiled
