// What the source lines of one recording may cost, over all its assemblies: their files are hostile, and a
// recording may name one of them any number of times. Whoever goes on asks is_used_up() before; what was
// begun is ended, so the last file, method or record may go beyond. One thread.
#pragma once

#include <algorithm>
#include <cstdint>

namespace walkabout::symbols {

struct LineBudget {
  static constexpr uint64_t kBytes = 2ull << 30;
  static constexpr uint64_t kPoints = 2'000'000;
  static constexpr uint64_t kRecordBytes = 64 << 20;

  // Looked through: files, what they are unpacked to, and what each method and document names in them.
  uint64_t bytes = kBytes;
  uint64_t points = kPoints;             // sequence points
  uint64_t record_bytes = kRecordBytes;  // of all records

  bool is_used_up() const { return bytes == 0 || points == 0 || record_bytes == 0; }
  static void take(uint64_t& from, uint64_t count) { from -= std::min(from, count); }
};

}  // namespace walkabout::symbols
