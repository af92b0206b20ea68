#include "cli/folding_options.h"

#include <algorithm>

namespace walkabout::cli {
namespace {

bool has_my_code(const profile::Profile& profile) {
  return std::any_of(profile.nodes.begin() + 1, profile.nodes.end(), [&profile](const profile::Node& node) {
    return profile.frames[node.frame].origin == profile::Origin::kMine;
  });
}

std::string wrong_name(const std::string& name) {
  return name.empty() ? "an empty name is nobody's: write an assembly's, such as Contoso.Shop" : "";
}

}  // namespace

base::Status FoldingOptions::check() const {
  if (async && !rules.empty())
    return base::Status::error(
        "--fold-async folds whoever's code runs async methods; --mine and --not-mine are of --my-code: leave "
        "one out");
  if (all_frames && (async || my_code || !rules.empty()))
    return base::Status::error(
        "--all-frames folds nothing: leave it out, or --my-code, --fold-async, --mine and --not-mine");
  return {};
}

void add_folding_options(Verb& verb, FoldingOptions& options) {
  verb.flag("--my-code", options.my_code,
            "just my code: fold each run of frames of .NET's libraries, the runtime and native code to one, "
            "(+7 System.Linq)");
  verb.flag(
      "--fold-async", options.async,
      "fold only what runs async methods, tasks and work of the thread pool, as report's text and pages do "
      "anyway");
  verb.flag("--all-frames", options.all_frames, "fold nothing");
  verb.option(
          "--mine", options.rules.mine,
          "--my-code, where this is mine too: an assembly (Microsoft.Contoso), a library (libmine.so), or "
          "what begins so (Contoso.*)")
      .one_value_each()
      .checked(wrong_name, "NAME");
  verb.option("--not-mine", options.rules.not_mine, "--my-code, where this is not mine (Newtonsoft.*)")
      .one_value_each()
      .checked(wrong_name, "NAME");
}

std::vector<std::string> unknown_names(const FoldingOptions& options, const profile::Profile& profile) {
  std::vector<std::string> out;
  for (const auto& [option, names] :
       {std::pair("--mine", &options.rules.mine), std::pair("--not-mine", &options.rules.not_mine)}) {
    for (const std::string& name : *names) {
      if (profile::fits_any(name, profile.frames)) continue;
      out.push_back("No frame of this recording is of " + std::string(option) + " '" + name +
                    "': it is the name of an assembly or a library, or with a * at its end how one or a "
                    "function begins.");
    }
  }
  return out;
}

std::vector<std::string> nothing_mine(const FoldingOptions& options, const profile::Profile& profile) {
  if (options.folding() != profile::Folding::kMyCode || has_my_code(profile)) return {};
  return {"No function here is taken for the program's own: name its assemblies with --mine NAME."};
}

}  // namespace walkabout::cli
