// `walkabout symbols`: names for the native code of a recording, found later or on another machine.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/linux/find_names.h"
#include "console/json_out.h"

namespace walkabout::cli {

struct SymbolsOptions {
  std::string file;
  std::string output;  // empty: the file itself
  std::vector<std::string> folders;
  std::vector<std::string> debuginfod;      // URLs
  std::vector<std::string> symbol_servers;  // URLs
  bool lines = false;                       // of native code, of a recording that was made without
  bool json = false;
};

void add_symbols(CommandLine& line);

int symbols_verb(const SymbolsOptions& options);

// written: the file, empty when there was nothing to write.
Json symbols_json(const NewNames& names, const std::string& written);
std::string symbols_text(const NewNames& names, const std::string& file, const std::string& written);

}  // namespace walkabout::cli
