#include "cli/stats.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/exit_codes.h"
#include "cli/stats_collector.h"

namespace walkabout::cli {

int stats(const std::string& file, bool json) {
  StatsCollector collector;
  const base::Result<recording::ReadSummary> summary = recording::read_recording(file, collector);
  if (!summary.ok()) return fail(kFailure, summary.message());
  if (json) {
    print_json(collector.json(*summary));
  } else {
    print(collector.text(*summary));
  }
  return kSuccess;
}

void add_stats(CLI::App& app, int* exit_code) {
  struct Options {
    std::string file;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("stats", "show how good a recording is: ticks, walks, losses, cost");
  verb->add_option("file", options->file, "the recording")->required()->type_name("FILE.walk");
  verb->add_flag("--json", options->json, "for programs (keys: docs/json.md)");
  verb->footer(std::string("Examples:\n"
                           "  walkabout stats app.walk\n"
                           "  walkabout stats app.walk --json | jq '.rooted / .samples'\n") +
               kExitCodesHelp);
  verb->callback([options, exit_code] { *exit_code = stats(options->file, options->json); });
}

}  // namespace walkabout::cli
