#include "cover/file_rows.h"

#include <algorithm>

namespace walkabout::cover {

size_t BranchRow::taken() const {
  return static_cast<size_t>(
      std::count_if(arms.begin(), arms.end(), [](const Arm& a) { return a.hits != 0; }));
}

std::map<uint32_t, std::vector<BranchRow>> branches_by_line(const SourceFile& file) {
  std::map<uint32_t, std::vector<BranchRow>> rows;
  const std::span<const Arm> arms(file.arms);
  for (size_t begin = 0; begin < arms.size();) {
    size_t end = begin + 1;
    while (end < arms.size() && arms[end].line == arms[begin].line && arms[end].branch == arms[begin].branch)
      ++end;
    rows[arms[begin].line].push_back({arms.subspan(begin, end - begin)});
    begin = end;
  }
  return rows;
}

std::vector<MethodRow> methods_by_line(const SourceFile& file) {
  std::vector<MethodRow> rows(file.methods.size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i].method = &file.methods[i];
  for (const auto& [number, line] : file.lines) {
    rows[line.method].lines.push_back(number);
    rows[line.method].hits = std::max(rows[line.method].hits, line.hits);
  }
  std::erase_if(rows, [](const MethodRow& row) { return row.lines.empty(); });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const MethodRow& a, const MethodRow& b) { return a.lines[0] < b.lines[0]; });
  return rows;
}

}  // namespace walkabout::cover
