// walkabout.exe: records on Windows, and reads recordings with the verbs it shares with Linux. Native code
// has the names of its modules: what reads more is a library of Linux (elfutils).
#include <fcntl.h>
#include <io.h>

#include <cstdio>
#include <cwchar>
#include <string>
#include <vector>

#include "base/windows/wide_text.h"
#include "cli/command_line.h"
#include "cli/convert.h"
#include "cli/report.h"
#include "cli/stats.h"
#include "cli/windows/run.h"
#include "console/exit_codes.h"
#include "wire/sources.h"

namespace {

using walkabout::cli::kFailure;
using walkabout::cli::RunOptions;

constexpr char kHelpBeforeEvents[] =
    "profile a .NET program on Windows x64\n"
    "Usage: walkabout run [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
    "       walkabout report|stats|convert FILE.walk …      each has its --help\n\n"
    "  -o FILE.walk           where the recording goes (walkabout.walk)\n"
    "  --events LIST          what is recorded, with commas between (cpu); all: everything but callbacks; "
    "default: what\n"
    "                         costs a busy service next to nothing; there are: ";
constexpr char kHelp[] =
    "\n"
    "  --interval TIME        between two looks at a thread, 1ms to 1s (5ms)\n"
    "  --depth N              frames kept of one stack, 16 to 65536 (2048)\n"
    "  --native full|holes|none   every native frame, one [native] for each block of them, or none (full)\n"
    "  --oracle               the CLR's own walks too, to compare (walkabout verify, on Linux)\n\n"
    "verify and symbols read a recording on Linux.\n"
    "Exit code: the program's; 1 it could not be profiled (the cause is on stderr), 2 wrong options.\n";

std::string help() { return kHelpBeforeEvents + walkabout::wire::sources_help() + kHelp; }

// The option that takes a value, or null.
std::wstring* value_of(const std::wstring& option, RunOptions* o) {
  if (option == L"-o") return &o->output;
  if (option == L"--interval") return &o->interval;
  if (option == L"--depth") return &o->depth;
  if (option == L"--native") return &o->native;
  if (option == L"--events") return &o->events;
  return nullptr;
}

// Empty when all is well.
std::wstring parse(int count, wchar_t** arguments, RunOptions* o) {
  int i = 0;
  for (; i < count && arguments[i][0] == L'-' && std::wcscmp(arguments[i], L"--") != 0; ++i) {
    const std::wstring option = arguments[i];
    if (option == L"--oracle") {
      o->oracle = true;
    } else if (std::wstring* value = value_of(option, o); value == nullptr) {
      return L"there is no option " + option;
    } else if (++i < count) {
      *value = arguments[i];
    } else {
      return option + L" needs a value";
    }
  }
  if (i < count && std::wcscmp(arguments[i], L"--") == 0) ++i;
  o->command.assign(arguments + i, arguments + count);
  if (o->command.empty()) return L"no program is given";
  if (!o->native.empty() && o->native != L"full" && o->native != L"holes" && o->native != L"none")
    return L"--native is full, holes or none";
  if (o->events.empty()) return {};
  const auto events = walkabout::wire::parse_events(walkabout::base::utf8(o->events.c_str()));
  return events.ok() ? std::wstring() : walkabout::base::utf16("--events: " + events.message());
}

// As on Linux: UTF-8, and lines that end as they are written.
int read_verb(int count, wchar_t** arguments) {
  ::_setmode(1, O_BINARY);
  walkabout::cli::CommandLine line("where the CPU time of a .NET program goes", "walkabout");
  walkabout::cli::add_report(line);
  walkabout::cli::add_stats(line);
  walkabout::cli::add_convert(line);
  std::vector<std::string> words;
  for (int i = 1; i < count; ++i) words.push_back(walkabout::base::utf8(arguments[i]));
  const walkabout::cli::CommandLine::Result result = line.run(words);
  walkabout::cli::print(result.out);
  walkabout::cli::print_stderr(result.err);
  const walkabout::base::Status out = walkabout::cli::printed();
  return out.ok() ? result.exit_code : walkabout::cli::fail(kFailure, out.message());
}

}  // namespace

extern "C" int wmain(int count, wchar_t** arguments) {
  const std::wstring verb = count > 1 ? arguments[1] : L"--help";
  if (verb == L"--help" || verb == L"-h" || verb == L"help") {
    std::fputs(help().c_str(), stdout);
    return 0;
  }
  if (verb == L"report" || verb == L"stats" || verb == L"convert") return read_verb(count, arguments);
  if (verb == L"verify" || verb == L"symbols" || verb == L"attach") {
    std::fprintf(stderr, "walkabout: %ls needs libraries of Linux: use it there\n", verb.c_str());
    return kFailure;
  }
  if (verb != L"run") {
    std::fprintf(stderr, "walkabout: there is no '%ls'\n%s", verb.c_str(), help().c_str());
    return 2;
  }
  RunOptions options;
  if (const std::wstring wrong = parse(count - 2, arguments + 2, &options); !wrong.empty()) {
    std::fprintf(stderr, "walkabout: %s\n", walkabout::base::utf8(wrong.c_str()).c_str());
    return 2;
  }
  return walkabout::cli::run(options);
}
