// The call frame information of one image, compiled for lookup: pc → rule in a few nanoseconds.
//
// Rows (where a rule begins to hold) lie in buckets of 256 bytes of text, so a row is one byte of pc and the
// 16-bit number of its rule; equal rules are stored once. Compiled by a helper thread; immutable afterwards,
// in memory of its own (not the image's), read-only: any thread, also in a signal handler, may look up while
// the table lives.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "unwind/cfi/cfi_section.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

// Limits of one table; an image beyond them stays interpreted.
inline constexpr uint64_t kMaxCfiText = uint64_t{1} << 30;
inline constexpr size_t kMaxCfiRules = UINT16_MAX;

inline constexpr unsigned kCfiBucketBits = 8;
inline constexpr size_t kCfiRowPadding = 16;  // rows are read 16 at a time

class CfiTable {
 public:
  // Not for signal handlers. Covers the section's code or, if it names none, the span of its FDEs. FDEs that
  // contradict themselves or lie outside are left out and counted.
  static base::Result<CfiTable> compile(const CfiSection& section);

  CfiTable(CfiTable&& other) noexcept;
  CfiTable& operator=(CfiTable&& other) noexcept;
  ~CfiTable();  // NOLINT(performance-trivially-destructible): elsewhere than on Windows it unmaps

  // The rule for pc; null where none is known. Async-signal-safe.
  const CompactRule* find(uint64_t pc) const;

  // Memory held, with all that rules refer to.
  size_t bytes() const { return mapped_; }
  size_t row_count() const { return row_count_; }
  size_t rule_count() const { return rule_count_; }
  // FDEs left out in whole or in part.
  size_t malformed_fdes() const { return malformed_fdes_; }
  uint64_t text_begin() const { return text_begin_; }
  uint64_t text_size() const { return text_size_; }

 private:
  friend class CfiTableBuilder;
  CfiTable() = default;

  // One private mapping holds all arrays.
  void* memory_ = nullptr;
  size_t mapped_ = 0;
  uint64_t text_begin_ = 0;
  uint64_t text_size_ = 0;
  const uint32_t* buckets_ = nullptr;  // first row of each bucket, and the end
  const uint8_t* low_ = nullptr;       // low 8 bits of each row's pc, from text_begin_
  const uint16_t* ids_ = nullptr;      // each row's rule
  const CompactRule* rules_ = nullptr;
  size_t row_count_ = 0;
  size_t rule_count_ = 0;
  size_t malformed_fdes_ = 0;
};

}  // namespace walkabout::unwind
