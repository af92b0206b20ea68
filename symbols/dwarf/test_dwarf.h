// For tests of lines: the sample library with inlined functions, as the build has made it of every form of
// DWARF (symbols/testdata/dwarf_variants.sh).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
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

// As the name of a test: letters, digits and underscores.
inline std::string variant_name(const ::testing::TestParamInfo<std::string>& variant) {
  std::string name = variant.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

inline std::string dwarf_path(const std::string& variant) { return kDwarf + "/" + variant + "/inlined.so"; }

// All addresses of the sample's own functions. file: with the symbol table.
inline std::vector<uint32_t> own_code(const ElfFile& file) {
  const FunctionTable table = FunctionTable::read(file, SHT_SYMTAB);
  std::vector<uint32_t> all;
  for (const Function* f = table.above(0); f != nullptr; f = table.above(f->begin)) {
    if (std::string(f->name).find("inlined") == std::string::npos) continue;
    for (uint32_t at = f->begin; at < f->end; ++at) all.push_back(at);
  }
  return all;
}

}  // namespace walkabout::symbols::testing
