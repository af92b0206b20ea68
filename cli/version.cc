#include "cli/version.h"

#include <CLI/CLI.hpp>

#include "cli/exit_codes.h"
#include "recording/constants.h"
#include "wire/records.h"

namespace walkabout::cli {

std::string version_text() {
  return "walkabout " WALKABOUT_VERSION " (.walk format " + std::to_string(recording::kFormatVersion) +
         ", stream " + std::to_string(wire::kStreamVersion) + ")";
}

void add_version(CLI::App& app, int* exit_code) {
  CLI::App* verb = app.add_subcommand("version", "say the version of walkabout and of the formats it reads");
  verb->footer(std::string("Example:\n  walkabout version\n") + kExitCodesHelp);
  verb->callback([exit_code] {
    print(version_text() + "\n");
    *exit_code = kSuccess;
  });
}

}  // namespace walkabout::cli
