// walkabout, the command line: a table of contents.
#include <CLI/CLI.hpp>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "cli/attach.h"
#include "cli/check.h"
#include "cli/collect.h"
#include "cli/convert.h"
#include "cli/exit_codes.h"
#include "cli/print.h"
#include "cli/report.h"
#include "cli/run.h"
#include "cli/standard_descriptors.h"
#include "cli/stats.h"
#include "cli/symbols.h"
#include "cli/usage.h"
#include "cli/verify.h"
#include "cli/version.h"

namespace walkabout::cli {
namespace {

// A full disk behind a pipe or redirection must not pass for success.
int with_output(int exit_code) {
  const base::Status out = printed();
  return out.ok() ? exit_code : fail(kFailure, out.message());
}

// --help and --version are such errors too.
int tell(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, err;
  const int code = app.exit(error, out, err) == 0 ? kSuccess : kUsage;
  print(out.str());
  say(err.str());
  return with_output(code);
}

int run_cli(int argc, char** argv) {
  CLI::App app(
      "walkabout: where the CPU time of a .NET program goes, in whole stacks: managed, native, runtime",
      "walkabout");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text());
  app.footer(
      "Start with:\n"
      "  walkabout run -- dotnet app.dll      profiles it, writes walkabout.html\n"
      "  walkabout attach PID -d 30s          the same with a process that runs already\n"
      "  walkabout check                      what this machine allows, and what to do about it\n"
      "Every verb has its own --help with examples and exit codes.");
  int exit_code = kSuccess;
  add_run(app, &exit_code);
  add_attach(app, &exit_code);
  add_check(app, &exit_code);
  add_collect(app, &exit_code);
  add_report(app, &exit_code);
  add_stats(app, &exit_code);
  add_convert(app, &exit_code);
  add_symbols(app, &exit_code);
  add_verify(app, &exit_code);
  add_version(app, &exit_code);
  if (const auto sentence = misunderstood(app, {argv + 1, argv + argc}); sentence)
    return fail(kUsage, *sentence);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return tell(app, error);
  }
  return with_output(exit_code);
}

}  // namespace
}  // namespace walkabout::cli

int main(int argc, char** argv) {
  walkabout::cli::hold_standard_descriptors();
  try {
    return walkabout::cli::run_cli(argc, argv);
  } catch (const std::exception& error) {  // out of memory: everything else is a Status
    walkabout::cli::say("walkabout: ");
    walkabout::cli::say(error.what());
    walkabout::cli::say("\n");
    return walkabout::cli::kFailure;
  }
}
