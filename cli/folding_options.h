// The options of `report` and `convert` that fold runs of frames. Any thread, no state but its own.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "profile/names/origin.h"
#include "profile/query/folding.h"

namespace walkabout::cli {

struct FoldingOptions {
  bool my_code = false;
  bool async = false;  // my_code has it
  bool all_frames = false;
  profile::OriginRules rules;

  bool given() const { return my_code || async || all_frames || !rules.empty(); }
  // Whether they fit together.
  base::Status check() const;
  // usual: where nothing is asked for. --mine and --not-mine say what --my-code is about.
  profile::Folding folding(profile::Folding usual = profile::Folding::kNone) const {
    if (all_frames) return profile::Folding::kNone;
    if (my_code || !rules.empty()) return profile::Folding::kMyCode;
    return async ? profile::Folding::kAsync : usual;
  }
};

void add_folding_options(Verb& verb, FoldingOptions& options);

// Sentences for who is surprised: names of --mine and --not-mine that no frame has, and that nothing is the
// program's own. profile: before and after apply() of the rules to its frames.
std::vector<std::string> unknown_names(const FoldingOptions& options, const profile::Profile& profile);
std::vector<std::string> nothing_mine(const FoldingOptions& options, const profile::Profile& profile);

}  // namespace walkabout::cli
