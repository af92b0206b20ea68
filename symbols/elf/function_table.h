// The functions of one ELF symbol table (.symtab or .dynsym), sorted by address, without overlap: each
// address has at most one name, the most readable of those the table has for it. Immutable; any thread may
// read it while the ElfFile it was read from lives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/elf/elf_file.h"

namespace walkabout::symbols {

// Addresses [begin, end).
struct CodeRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct Function {
  uint32_t begin = 0;
  uint32_t end = 0;
  const char* name = "";  // as in the table, in the ElfFile's memory
};

class FunctionTable {
 public:
  FunctionTable() = default;
  // Empty when the file has no such table. type: SHT_SYMTAB or SHT_DYNSYM.
  static FunctionTable read(const ElfFile& file, uint32_t type);

  bool empty() const { return functions_.empty(); }
  // The function whose code `address` is; null if none.
  const Function* at(uint32_t address) const;
  // The last function that begins at or below `address`; null if none.
  const Function* below(uint32_t address) const;
  // The first function that begins above `address`; null if none.
  const Function* above(uint32_t address) const;

 private:
  size_t index_above(uint32_t address) const;

  std::vector<Function> functions_;
};

}  // namespace walkabout::symbols
