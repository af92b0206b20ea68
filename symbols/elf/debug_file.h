// The debug file of a stripped ELF file, where distributions and toolchains put it.
#pragma once

#include <optional>
#include <string>

#include "symbols/elf/elf_file.h"

namespace walkabout::symbols {

struct DebugFile {
  ElfFile file;
  std::string path;
};

bool has_symbol_table(const ElfFile& file);

// path: where `file` was found, as the target names it; root: whose paths these are. Only a file with the
// same build id is taken; for a file without build id, one whose checksum is the debuglink's. wanted: what it
// has to have.
std::optional<DebugFile> find_debug_file(const ElfFile& file, const std::string& path, const FileRoot& root,
                                         bool (*wanted)(const ElfFile&) = has_symbol_table);

}  // namespace walkabout::symbols
