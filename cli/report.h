// `walkabout report`: where a recording's CPU time, or what else was recorded, went: as tables, a tree or
// JSON.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.h"
#include "cli/folding_options.h"
#include "profile/query/filter.h"

namespace walkabout::cli {

struct ReportOptions {
  std::string file;
  uint32_t process = 0;  // of several; 0: all
  profile::Filter filter;
  bool live = false;  // the same as filter.event "live"
  bool startup = false;
  bool pool = false;
  bool unfold = false;
  bool async = false;
  FoldingOptions folding;
  bool tree = false;
  bool lines = false;
  bool no_inlined = false;
  bool json = false;
  size_t top = 20;
  double min_percent = 1.0;  // of the tree's total
};

void add_report(CommandLine& line);

int report(const ReportOptions& options);

}  // namespace walkabout::cli
