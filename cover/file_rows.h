// A source file's coverage in the order of its lines, as outputs go through it. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "cover/line_coverage.h"

namespace walkabout::cover {

// The arms of one branch.
struct BranchRow {
  std::span<const Arm> arms;
  size_t taken() const;
};

// By line. The file must outlive it.
std::map<uint32_t, std::vector<BranchRow>> branches_by_line(const SourceFile& file);

struct MethodRow {
  const Method* method = nullptr;
  std::vector<uint32_t> lines;
  uint64_t hits = 0;  // of the line that ran most often
};
// Those that have lines, by their first.
std::vector<MethodRow> methods_by_line(const SourceFile& file);

}  // namespace walkabout::cover
