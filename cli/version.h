// `walkabout version`, and --version.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace walkabout::cli {

// Adds the verb; *exit_code is set when it was chosen and has run.
void add_version(CLI::App& app, int* exit_code);

std::string version_text();

}  // namespace walkabout::cli
