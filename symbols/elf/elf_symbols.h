// Names for the code of one ELF image: its own symbol table, else its debug file's, else what is left when
// both are missing: exported names, of a CLR those of its own tables (runtime_functions.h), and for the code
// between them the nearest exported name below plus the distance.
//
// Immutable after open; one thread at a time (libelf). Offsets are the file's own addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/function_table.h"
#include "symbols/elf/plt.h"
#include "symbols/elf/runtime_functions.h"
#include "wire/records.h"

namespace walkabout::symbols {

class ElfSymbols {
 public:
  // path: as the target names it. build_id: raw bytes of the image that ran; a file with another one is
  // refused, any is taken if it is empty. root: whose path it is; where nothing fits there, our own files are
  // tried.
  static base::Result<ElfSymbols> open(const std::string& path, const std::string& build_id,
                                       const FileRoot& root);
  // The vDSO of this process: the kernel's, the same for the target if the build id is.
  static base::Result<ElfSymbols> open_vdso(const std::string& build_id);

  // A file that was found otherwise, alone: the image or its debug file. name: the image's; source: for
  // people.
  static ElfSymbols of_file(ElfFile file, const std::string& name, const std::string& source);
  // Names from this debug file instead, if it has any.
  void use_debug_file(ElfFile debug_file, const std::string& source);

  // The function that `offset` is in; nothing if it is in no code of this file. The range of an approximate
  // name is the function's all the same, where the file says it; neither overlaps with another.
  std::optional<wire::NativeSymbol> find(uint32_t offset) const;

  // No .symtab in the file and no debug file found.
  bool stripped() const { return stripped_; }
  // The file the names come from.
  const std::string& source() const { return source_; }

 private:
  ElfSymbols(ElfFile file, std::string name) : file_(std::move(file)), file_name_(std::move(name)) {}
  static base::Result<ElfSymbols> load(ElfFile file, const std::string& path, const FileRoot& root);
  const CodeRange* code_at(uint32_t offset) const;
  const PltEntry* plt_at(uint32_t offset) const;
  CodeRange unnamed_function(uint32_t offset, const CodeRange& code) const;
  wire::NativeSymbol approximate(uint32_t offset, const CodeRange& range) const;

  ElfFile file_;
  std::string file_name_;
  std::optional<ElfFile> debug_file_;
  FunctionTable functions_;
  std::vector<PltEntry> plt_;
  std::vector<uint32_t> starts_;
  RuntimeFunctions runtime_;
  std::vector<CodeRange> code_;  // the sections with code
  bool stripped_ = false;
  std::string source_;
};

}  // namespace walkabout::symbols
