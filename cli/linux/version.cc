#include "cli/linux/version.h"

#include "console/exit_codes.h"
#include "recording/constants.h"
#include "wire/records.h"

namespace walkabout::cli {

std::string version_text() {
  return "walkabout " WALKABOUT_VERSION " (.walk format " + std::to_string(recording::kFormatVersion) +
         ", stream " + std::to_string(wire::kStreamVersion) + ")";
}

void add_version(CommandLine& line) {
  Verb verb = line.verb("version", "say the version of walkabout and of the formats it reads");
  verb.footer(std::string("Example:\n  walkabout version\n") + kExitCodesHelp);
  verb.action([] {
    print(version_text() + "\n");
    return kSuccess;
  });
}

}  // namespace walkabout::cli
