// The options of `report` and `convert` that fold runs of frames. Any thread, no state but its own.
#pragma once

#include "cli/command_line.h"
#include "profile/names/origin.h"
#include "profile/query/folding.h"

namespace walkabout::cli {

struct FoldingOptions {
  bool my_code = false;
  bool async = false;  // my_code has it
  profile::OriginRules rules;

  // --mine and --not-mine say what --my-code is about.
  profile::Folding folding() const {
    if (my_code || !rules.empty()) return profile::Folding::kMyCode;
    return async ? profile::Folding::kAsync : profile::Folding::kNone;
  }
};

void add_folding_options(Verb& verb, FoldingOptions& options);

}  // namespace walkabout::cli
