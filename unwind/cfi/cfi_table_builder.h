// Collects the rows of one image in ascending order of pc and makes a CfiTable of them.
//
// For the helper thread: takes address space with mmap, not malloc. One thread, not for signal handlers.
// Errors are kept and returned by finish().
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "unwind/cfi/cfi_buffer.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

class CfiTableBuilder {
 public:
  // REQUIRES: 0 < text_size <= kMaxCfiText.
  CfiTableBuilder(uint64_t text_begin, uint64_t text_size);

  // From pc on this rule (or none) holds. A second one for the same pc replaces the first. REQUIRES: pc is
  // not below the one before, nor below text_begin. At and beyond the end of the text it is ignored.
  void add(uint64_t pc, const CfiRule& rule);
  void add_gap(uint64_t pc);
  // What was added since mark() is added anew, from the first pc on.
  struct Mark {
    size_t buckets, rows;
    uint64_t last_offset;
  };
  Mark mark() const { return {buckets_.size(), ids_.size(), last_offset_}; }
  void rewind(const Mark& mark);
  // FDEs that were left out in whole or in part.
  void count_malformed(size_t count) { malformed_ += count; }

  base::Result<CfiTable> finish();

 private:
  bool usable() const;
  void add_row(uint64_t pc, uint16_t id);
  uint16_t intern(const CfiRule& rule);
  uint16_t intern_general(const CfiRule& rule);
  uint16_t new_rule(const CompactRule& rule, uint16_t* place);
  CfiRule own(const CfiRule& rule);
  void own_expression(const CfiRule& rule, int32_t* offset, uint16_t size);
  void layout(CfiTable* table) const;

  uint64_t text_begin_;
  uint64_t text_size_;
  uint64_t last_offset_ = 0;
  size_t malformed_ = 0;
  const char* error_ = nullptr;
  CfiBuffer<uint32_t> buckets_;
  CfiBuffer<uint8_t> low_;
  CfiBuffer<uint16_t> ids_;
  CfiBuffer<CompactRule> rules_;
  CfiBuffer<CfiRule> general_;
  CfiBuffer<uint8_t> expressions_;
  CfiBuffer<uint16_t> hash_;  // open addressing: number of a rule, 0 for none
};

}  // namespace walkabout::unwind
