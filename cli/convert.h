// `walkabout convert`: a recording as another kind of file.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/folding_options.h"

namespace walkabout::cli {

struct ConvertOptions {
  std::string from;
  std::string to;
  uint32_t process = 0;  // of several; 0: all
  bool unfold = false;
  std::string event;  // of formats that hold one: this; empty: CPU time
  std::string value;
  bool lines = false;  // of formats that can say them
  bool no_inlined = false;
  bool threads = false;  // .collapsed: thread names as first frames
  bool redact = false;
  FoldingOptions folding;
};

void add_convert(CommandLine& line);

int convert(const ConvertOptions& options);

}  // namespace walkabout::cli
