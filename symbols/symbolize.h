// Names for the native code a recording hit, as the records that complete the recording. Reads ELF files of
// this machine (or below `root`), never the target's memory. No state, one thread per call.
#pragma once

#include <string>
#include <vector>

#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/file_root.h"
#include "symbols/hit_collector.h"
#include "wire/records.h"

namespace walkabout::symbols {

// The names for the offsets of one module; sorted by address, without overlap.
wire::NativeSymbols name_hits(const ModuleHits& hits, const ElfSymbols& symbols);

// One record per module, in the order given; found is false
// where no file with the module's build id could be read. root: whose paths the modules' are.
std::vector<wire::NativeSymbols> symbolize(const std::vector<ModuleHits>& hits, const FileRoot& root);

}  // namespace walkabout::symbols
