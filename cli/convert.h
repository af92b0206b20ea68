// `walkabout convert`: a recording as another kind of file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/folding_options.h"
#include "profile/model/profile.h"

namespace walkabout::cli {

struct ConvertOptions {
  std::string from;
  std::string to;
  uint32_t process = 0;  // of several; 0: all
  bool unfold = false;
  bool async = false;
  std::string event;  // of formats that hold one: this; empty: CPU time
  std::string value;
  bool lines = false;  // of formats that can say them
  bool no_inlined = false;
  bool source = false;                      // .html: with the text of source files
  std::vector<std::string> source_folders;  // … also from there
  bool threads = false;                     // .collapsed: thread names as first frames
  bool redact = false;
  FoldingOptions folding;
};

// Adds the text of source files to the profile of a recording (profile::SourceDocument::text).
using AddSource = std::function<base::Status(const ConvertOptions& options, profile::Profile& profile)>;

// add_source: empty: this system cannot, and the option is not there.
void add_convert(CommandLine& line, const AddSource& add_source = {});

int convert(const ConvertOptions& options, const AddSource& add_source = {});

}  // namespace walkabout::cli
