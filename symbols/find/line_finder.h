// The source lines of an assembly's methods, from wherever its PDB is to be had: where the assembly lies,
// then the finder's sources in their order. One thread.
#pragma once

#include <optional>
#include <string>

#include "symbols/find/finder.h"
#include "symbols/lines/line_budget.h"
#include "symbols/lines/lines_left_out.h"
#include "symbols/lines/method_hits.h"
#include "wire/line_records.h"

namespace walkabout::symbols {

struct FoundLines {
  std::optional<wire::SourceLines> lines;
  std::string from;   // name of the source, or "this machine"; empty without lines
  std::string place;  // the file, for people
  std::string why;    // there are none: one sentence
};

// What went wrong on the way is reported to the finder. budget, left_out: of all assemblies.
FoundLines find_lines(const AssemblyHits& hits, Finder& finder, LineBudget& budget, LinesLeftOut& left_out);

}  // namespace walkabout::symbols
