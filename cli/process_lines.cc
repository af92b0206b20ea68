#include "cli/process_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "cli/terminal.h"
#include "console/numbers.h"

namespace walkabout::cli {
namespace {

constexpr size_t kShown = 8;
constexpr size_t kIndent = 9;  // before a name

struct Share {
  uint64_t weight = 0;
  uint32_t frame = 0;
};

// Heaviest first; those without a sample too.
std::vector<Share> shares(const profile::Profile& p, const profile::Totals& totals) {
  std::vector<Share> all;
  for (size_t i = 1; i < p.nodes.size(); ++i) {
    if (p.nodes[i].parent == 0) all.push_back({totals.node_total[i].weight, p.nodes[i].frame});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Share& a, const Share& b) { return a.weight > b.weight; });
  return all;
}

}  // namespace

std::string process_lines(const profile::Profile& several, const profile::Totals& totals, size_t width) {
  const std::vector<Share> all = shares(several, totals);
  std::string text = "\n  total  process\n";
  for (size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    fmt::format_to(std::back_inserter(text), " {:>5.1f}%  {}\n", percent(all[i].weight, several.total_weight),
                   fit_text(several.frames[all[i].frame].name, std::max(width, kNarrowest) - kIndent));
  }
  if (all.size() > kShown) text += fmt::format("         and {} more\n", grouped(all.size() - kShown));
  return text;
}

}  // namespace walkabout::cli
