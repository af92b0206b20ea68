// The slowest calls of a trace as rows: those that no kept call is around, and below each the calls that it
// was in. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/traces.h"

namespace walkabout::cli {

struct SlowCallRow {
  uint32_t call = 0;  // index into Traces::calls
  bool outermost = false;
  std::string indentation;  // of lines that show which are siblings
  uint64_t hidden = 0;      // not 0: so many further calls in that call
};

// outermost: so many; the slowest come first, and in each the slowest of its own.
std::vector<SlowCallRow> slow_call_rows(const profile::Traces& traces, size_t outermost);

}  // namespace walkabout::cli
