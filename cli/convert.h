// `walkabout convert`: a recording as another kind of file.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace walkabout::cli {

struct ConvertOptions {
  std::string from;
  std::string to;
  uint32_t process = 0;  // of several; 0: all
  bool unfold = false;
  bool threads = false;  // .collapsed: thread names as first frames
  bool redact = false;
};

// Adds the verb; *exit_code is set when it was chosen and has run.
void add_convert(CLI::App& app, int* exit_code);

int convert(const ConvertOptions& options);

}  // namespace walkabout::cli
