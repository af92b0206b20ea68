// walkabout, the command line: a table of contents.
#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/convert.h"
#include "cli/linux/add_source.h"
#include "cli/linux/async_verb.h"
#include "cli/linux/attach.h"
#include "cli/linux/check.h"
#include "cli/linux/collect.h"
#include "cli/linux/count_verb.h"
#include "cli/linux/cover_verb.h"
#include "cli/linux/run.h"
#include "cli/linux/symbols.h"
#include "cli/linux/trace_verb.h"
#include "cli/linux/verify.h"
#include "cli/linux/version.h"
#include "cli/report.h"
#include "cli/stats.h"
#include "cli/usage.h"
#include "console/exit_codes.h"
#include "console/linux/standard_descriptors.h"
#include "console/print.h"

namespace walkabout::cli {
namespace {

// A full disk behind a pipe or redirection must not pass for success.
int with_output(int exit_code) {
  const base::Status out = printed();
  return out.ok() ? exit_code : fail(kFailure, out.message());
}

int run_cli(const std::vector<std::string>& arguments) {
  CommandLine line(
      "walkabout: where the CPU time of a .NET program goes, in whole stacks: managed, native, runtime",
      "walkabout");
  line.version(version_text());
  line.footer(
      "Start with:\n"
      "  walkabout run -- dotnet app.dll      profiles it, writes walkabout.html\n"
      "  walkabout attach PID -d 30s          the same with a process that runs already\n"
      "  walkabout check                      what this machine allows, and what to do about it\n"
      "Every verb has its own --help with examples and exit codes.");
  add_run(line);
  add_attach(line);
  add_async(line);
  const bool command = std::find(arguments.begin(), arguments.end(), "--") != arguments.end();
  add_count(line, command);
  add_trace(line, command);
  add_cover(line);
  add_check(line);
  add_collect(line);
  add_report(line);
  add_stats(line);
  add_convert(line, add_source);
  add_symbols(line);
  add_verify(line);
  add_version(line);
  if (const auto sentence = line.misunderstood(arguments); sentence) return fail(kUsage, *sentence);
  const CommandLine::Result result = line.run(arguments);
  print(result.out);
  print_stderr(result.err);
  return with_output(result.exit_code);
}

}  // namespace
}  // namespace walkabout::cli

int main(int argc, char** argv) {
  walkabout::cli::hold_standard_descriptors();
  try {
    return walkabout::cli::run_cli({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    walkabout::cli::print_stderr(
        "walkabout: out of memory; run it on a shorter recording, or where more memory may be used (ulimit "
        "-v, the container's limit)\n");
    return walkabout::cli::kFailure;
  } catch (const std::exception& error) {  // everything else is a Status
    walkabout::cli::print_stderr("walkabout: ");
    walkabout::cli::print_stderr(error.what());
    walkabout::cli::print_stderr("\n");
    return walkabout::cli::kFailure;
  }
}
