#include "unwind/cfi/cfi_table.h"

#include <emmintrin.h>
#include <sys/mman.h>

#include <utility>

#include "base/hot.h"

namespace walkabout::unwind {
namespace {

// The last row of [first, end) that begins at or before `low`; first - 1 if all begin behind. Rows ascend, so
// those at or before are a prefix of every 16.
size_t last_row(const uint8_t* rows, size_t first, size_t end, uint8_t low) {
  const __m128i key = _mm_set1_epi8(static_cast<char>(low));
  for (size_t row = first;; row += kCfiRowPadding) {
    const __m128i begins = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + row));
    auto before = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(begins, key), begins)));
    const size_t left = end - row;
    if (left < kCfiRowPadding) before &= (1u << left) - 1;
    if (left <= kCfiRowPadding || before != 0xffff)
      return row + static_cast<size_t>(__builtin_ctz(~before)) - 1;
  }
}

}  // namespace

CfiTable::CfiTable(CfiTable&& other) noexcept { *this = std::move(other); }

CfiTable& CfiTable::operator=(CfiTable&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(mapped_, other.mapped_);
  std::swap(text_begin_, other.text_begin_);
  std::swap(text_size_, other.text_size_);
  std::swap(buckets_, other.buckets_);
  std::swap(low_, other.low_);
  std::swap(ids_, other.ids_);
  std::swap(rules_, other.rules_);
  std::swap(row_count_, other.row_count_);
  std::swap(rule_count_, other.rule_count_);
  std::swap(malformed_fdes_, other.malformed_fdes_);
  return *this;
}

CfiTable::~CfiTable() {
  if (memory_ != nullptr) ::munmap(memory_, mapped_);
}

WALKABOUT_HOT const CompactRule* CfiTable::find(uint64_t pc) const {
  const uint64_t offset = pc - text_begin_;
  if (offset >= text_size_) return nullptr;
  const uint64_t bucket = offset >> kCfiBucketBits;
  const size_t row = last_row(low_, buckets_[bucket], buckets_[bucket + 1], static_cast<uint8_t>(offset));
  const CompactRule* rule = rules_ + ids_[row];
  return rule->kind() == CompactRule::Kind::kNone ? nullptr : rule;
}

}  // namespace walkabout::unwind
