// The DWARF of one ELF image: in its own file, or in its debug file, with the file that both of them share
// what is common in, where dwz has made one.
//
// Move only; one thread (libelf).
#pragma once

#include <optional>
#include <string>

#include "symbols/elf/elf_file.h"
#include "symbols/elf/file_root.h"

namespace walkabout::symbols {

struct DebugInfo {
  ElfFile file;
  std::string place;
  std::optional<ElfFile> shared;  // the file that .gnu_debugaltlink names
  bool lacks_shared = false;      // it names one, which is not there
  bool is_own_root = true;        // paths in it are of our own files
};

// Compilation units and their lines.
bool has_debug_info(const ElfFile& file);

// path, build_id, root: as ElfSymbols::open(). None: neither the image nor a debug file of it has DWARF.
std::optional<DebugInfo> find_debug_info(const std::string& path, const std::string& build_id,
                                         const FileRoot& root);
// Of a file that was found otherwise.
DebugInfo debug_info_of(ElfFile file, std::string place, const FileRoot& root);

}  // namespace walkabout::symbols
