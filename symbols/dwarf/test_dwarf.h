// For tests of lines: the sample library with inlined functions, as the build has made it of every form of
// DWARF (symbols/testdata/dwarf_variants.sh).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "symbols/elf/elf_file.h"
#include "symbols/elf/function_table.h"

namespace walkabout::symbols::testing {

inline const std::string kDwarf = WALKABOUT_DWARF_DIR;

inline std::vector<std::string> dwarf_variants() {
  std::vector<std::string> names;
  std::ifstream list(kDwarf + "/variants");
  for (std::string name; std::getline(list, name);) names.push_back(name);
  return names;
}

inline std::string dwarf_path(const std::string& variant) { return kDwarf + "/" + variant + "/inlined.so"; }

// All addresses of the file's code.
inline std::vector<uint32_t> all_code(const ElfFile& file) {
  std::vector<uint32_t> all;
  file.for_each_section([&all](const Section& s) {
    if ((s.header.sh_flags & SHF_EXECINSTR) == 0) return;
    for (uint64_t at = 0; at < s.header.sh_size; ++at)
      all.push_back(static_cast<uint32_t>(s.header.sh_addr + at));
  });
  return all;
}

}  // namespace walkabout::symbols::testing
