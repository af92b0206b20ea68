// The procedure linkage table of an x86-64 ELF file: which function each stub jumps to. The stubs have no
// symbols of their own; an entry is read as code (jmp *slot(%rip)) and its slot looked up in the relocations,
// so every layout linkers make (.plt, .plt.sec, .plt.got, with and without IBT) is covered by one rule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/elf/elf_file.h"

namespace walkabout::symbols {

struct PltEntry {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string name;  // raw, without "@plt"
};

// Sorted by address.
std::vector<PltEntry> read_plt(const ElfFile& file);

}  // namespace walkabout::symbols
