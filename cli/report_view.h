// What `report` prints, for a person (text) or a program (JSON, docs/json.md). One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/report.h"
#include "cli/terminal.h"
#include "console/json_out.h"
#include "profile/model/profile.h"
#include "profile/query/totals.h"
#include "profile/query/unhandled.h"

namespace walkabout::cli {

// profile: as it is shown; whole: the same before it was folded.
// hints: sentences that lead to other views of the recording. unhandled: of this recording.
std::string report_text(const profile::Profile& profile, const profile::Profile& whole,
                        const profile::Totals& totals, const ReportOptions& options, const Terminal& terminal,
                        const std::vector<std::string>& hints = {},
                        const std::optional<profile::Unhandled>& unhandled = {});

Json report_json(const profile::Profile& profile, const profile::Profile& whole,
                 const profile::Totals& totals, const ReportOptions& options,
                 const std::optional<profile::Unhandled>& unhandled = {},
                 const std::vector<std::string>& hints = {});

// A row of the tree. Nodes above options.min_percent come heaviest first, each after its parent; an only
// child is not indented, so that a deep chain stays readable.
struct TreeRow {
  uint32_t node = 0;
  int parent = -1;          // index of the parent's row, -1 for the outermost
  std::string indentation;  // "│ └ "
  uint64_t hidden = 0;      // not 0: this row stands for so many lighter siblings that are not shown
  profile::Amount amount;   // total of the node, or of the hidden ones
};
std::vector<TreeRow> tree_rows(const profile::Profile& profile, const profile::Totals& totals,
                               double min_percent);

}  // namespace walkabout::cli
