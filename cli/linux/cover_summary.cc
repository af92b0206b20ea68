#include "cli/linux/cover_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal.h"
#include "console/numbers.h"

namespace walkabout::cli {
namespace {

// "  1,234 of 2,000   61.7%"
std::string share_of(uint64_t part, uint64_t whole) {
  const std::string both = grouped(part) + " of " + grouped(whole);
  return whole == 0 ? fmt::format("{:>24}", "none")
                    : fmt::format("{:>17} {:>5.1f}%", both, percent(part, whole));
}

std::string summary_row(const std::string& name, size_t width, const cover::Totals& totals) {
  return fmt::format("{}{}  {}  {}\n", name, std::string(width - std::min(width, text_width(name)), ' '),
                     share_of(totals.lines_hit, totals.lines), share_of(totals.arms_hit, totals.arms));
}

}  // namespace

std::string cover_summary(const cover::Coverage& coverage) {
  size_t width = 6;
  for (const auto& [name, module] : coverage.modules) width = std::max(width, text_width(name));
  std::string text = fmt::format("{:<{}}  {:>24}  {:>24}\n", "module", width, "lines", "branches");
  for (const auto& [name, module] : coverage.modules) text += summary_row(name, width, totals_of(module));
  if (coverage.modules.size() > 1) text += summary_row("all", width, totals_of(coverage));
  return text;
}

}  // namespace walkabout::cli
