// Names that a stripped CLR has in itself: of the helpers that compiled code calls (jit_helpers.h,
// later_helpers.h), of the functions that managed code calls (call_tables.h), of what stubs call
// (entry_code.h), and of what tells the runtime's events (event_functions.h, gc_phases.h). They stand for the
// functions that begin there, as a symbol does.
//
// Immutable; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/elf/elf_file.h"
#include "symbols/elf/named_start.h"

namespace walkabout::symbols {

class RuntimeFunctions {
 public:
  RuntimeFunctions() = default;
  // None where the file is no CLR: its exported symbols say that.
  static RuntimeFunctions read(const ElfFile& file);
  explicit RuntimeFunctions(std::vector<NamedStart> found);

  // The name of the function that begins there; null: it has none.
  const std::string* at(uint64_t begin) const;

 private:
  std::vector<NamedStart> functions_;  // sorted, each begin once
};

}  // namespace walkabout::symbols
