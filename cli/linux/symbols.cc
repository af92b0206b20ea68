#include "cli/linux/symbols.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "cli/recordings_of.h"
#include "console/exit_codes.h"
#include "formats/format.h"
#include "symbols/elf/build_id.h"
#include "symbols/find/debuginfod_source.h"
#include "symbols/find/folder_source.h"
#include "symbols/find/symbol_server_source.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;
using Sources = std::vector<std::unique_ptr<symbols::Source>>;

// Those of the option, else those of the environment variable, which stand in one text.
std::vector<std::string> urls(const std::vector<std::string>& option, const char* variable) {
  const char* set = std::getenv(variable);
  if (!option.empty() || set == nullptr) return option;
  std::istringstream words(set);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

base::Status add(base::Result<std::unique_ptr<symbols::Source>> source, Sources& sources) {
  if (source.ok()) sources.push_back(std::move(*source));
  return source.status();
}

base::Status add_servers(const SymbolsOptions& options, Sources& sources) {
  std::string debuginfod;
  for (const std::string& url : urls(options.debuginfod, "DEBUGINFOD_URLS")) {
    if (url.find("://") == std::string::npos)
      return base::Status::error(options.debuginfod.empty()
                                     ? "DEBUGINFOD_URLS: there is no URL in it (like http://localhost:8002)"
                                     : "--debuginfod: '" + url + "' is no URL (like http://localhost:8002)");
    debuginfod += (debuginfod.empty() ? "" : " ") + url;
  }
  base::Status status;
  if (!debuginfod.empty()) status = add(symbols::DebuginfodSource::create(debuginfod), sources);
  for (const std::string& url : urls(options.symbol_servers, "WALKABOUT_SYMBOL_SERVER")) {
    if (status.ok()) status = add(symbols::SymbolServerSource::create(url), sources);
  }
  return status;
}

base::Status add_sources(const SymbolsOptions& options, Sources& sources) {
  for (const std::string& folder : options.folders) {
    sources.push_back(std::make_unique<symbols::FolderSource>(folder, "folder", true));
  }
  sources.push_back(std::make_unique<symbols::FolderSource>(symbols::kDebugFolder, "debug package", false));
  return add_servers(options, sources);
}

// A link stays one, and what it leads to is rewritten.
std::string own_place(const std::string& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return error ? file : real.string();
}

// The file written, empty if there was no need to.
base::Result<std::string> write(const SymbolsOptions& options, const NewNames& names) {
  const std::string place = own_place(options.file);
  const bool in_place = options.output.empty() || own_place(options.output) == place;
  if (in_place && !names.is_new()) return std::string();
  if (in_place && !names.damage.empty()) {
    return base::Status::error(options.file +
                               " is damaged, and rewriting it would lose what could not be read (" +
                               names.damage + "); give another file with -o");
  }
  const std::string to = in_place ? place : options.output;
  const base::Result<std::string> damage = copy_recording(place, to, names.edit);
  if (damage.ok()) return in_place ? options.file : to;
  return base::Status::error(damage.message() + "; " + options.file + " is as it was" +
                             (in_place ? ", write elsewhere with -o" : ""));
}

// all: where JSON is collected; null: it is printed.
int name_one(const SymbolsOptions& options, symbols::Finder& finder, Json* all) {
  const base::Result<NewNames> names = find_names(options.file, finder, options.lines);
  if (!names.ok()) return fail(kFailure, names.message());
  const base::Result<std::string> written = write(options, *names);
  if (!written.ok()) return fail(kFailure, written.message());
  if (options.json && all != nullptr) {
    all->push_back(symbols_json(*names, *written));
  } else if (options.json) {
    print_json(symbols_json(*names, *written));
  } else {
    print(symbols_text(*names, options.file, *written));
  }
  if (!names->damage.empty()) fail(kSuccess, options.file + ": " + names->damage);
  for (const std::string& problem : names->problems) fail(kFailure, problem);
  return names->problems.empty() ? kSuccess : kFailure;
}

}  // namespace

int symbols_verb(const SymbolsOptions& options) {
  if (!options.output.empty() && !formats::is_recording(options.output))
    return fail(kUsage, "-o " + options.output + ": names go into a recording, OUT.walk");
  Sources sources;
  if (base::Status status = add_sources(options, sources); !status.ok())
    return fail(kUsage, status.message());
  std::error_code error;
  if (fs::exists(options.file, error) && !fs::is_regular_file(options.file, error))
    return fail(kFailure, options.file + " is no regular file; it is read twice, so save it first");
  symbols::Finder finder(std::move(sources));
  const base::Result<RecordingFiles> files = recordings_of(options.file);
  if (!files.ok()) return fail(kFailure, files.message());
  if (!files->is_index) return name_one(options, finder, nullptr);
  if (!options.output.empty()) {
    return fail(kUsage,
                options.file +
                    " names the recordings of several processes, which -o has no room for: leave it " +
                    "out, or copy them first (walkabout convert)");
  }
  int code = kSuccess;
  Json all = Json::array();
  for (const RecordingFile& file : files->files) {
    SymbolsOptions one = options;
    one.file = file.path;
    if (!options.json) print(file.title() + "\n");
    code = std::max(code, name_one(one, finder, &all));
  }
  if (options.json) print_json({{"processes", all}});
  return code;
}

void add_symbols(CommandLine& line) {
  auto options = std::make_shared<SymbolsOptions>();
  Verb verb = line.verb("symbols",
                        "name a recording's native code and find source lines, later or on another machine");
  verb.option("file", options->file, "the recording").required().shown_as("FILE.walk");
  verb.option("-o,--output", options->output, "write the recording there (default: FILE.walk itself)")
      .shown_as("OUT.walk");
  verb.option("--folder", options->folders,
              "look below it for files with the libraries' build ids, and for PDBs (repeatable)")
      .existing_folder()
      .one_value_each();
  verb.option("--debuginfod", options->debuginfod,
              "ask this debuginfod server (repeatable; default: those in DEBUGINFOD_URLS)")
      .shown_as("URL")
      .one_value_each();
  verb.option("--symbol-server", options->symbol_servers,
              "ask this .NET symbol server (repeatable; default: those in WALKABOUT_SYMBOL_SERVER)")
      .shown_as("URL")
      .one_value_each();
  verb.flag("--lines", options->lines,
            "also the source lines of native code, and its inlined functions, of a recording that was made "
            "without --lines");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  verb.footer(
      "This machine's own libraries and debug packages are looked at first, then the folders, then the "
      "servers. No server\n"
      "is asked unless one is named. A file is used only if its build id is that of the library that ran.\n"
      "Examples:\n"
      "  walkabout symbols app.walk --folder build/symbols\n"
      "  walkabout symbols app.walk --debuginfod http://localhost:8002 -o named.walk\n"
      "  walkabout symbols app.walk --json | jq '.libraries[] | select(.why != \"\")'\n"
      "Exit code: 0 done, 1 it could not be done, or a server could not be asked or gave a wrong file (the "
      "cause is on\n"
      "stderr; names from elsewhere are written all the same), 2 wrong options.");
  verb.action([options] { return symbols_verb(*options); });
}

}  // namespace walkabout::cli
