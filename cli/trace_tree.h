// The hot part of the tree of traced calls, as rows: callers above callees, the most time first. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/traces.h"

namespace walkabout::cli {

struct TraceTreeRow {
  uint32_t node = 0;        // index into Traces::nodes; of `hidden` siblings their caller
  int parent = -1;          // row
  std::string indentation;  // of lines that show which are siblings
  uint64_t hidden = 0;      // not 0: so many siblings that are too little, of which this is the sum
  uint64_t total = 0;
};

// least: the share, 0 … 1, of all time, or of all waiting, that a node has at least. most: rows.
std::vector<TraceTreeRow> trace_tree_rows(const profile::Traces& traces, double least, size_t most);

}  // namespace walkabout::cli
