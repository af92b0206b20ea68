// Names for the native code a recording hit, as the records that complete the recording. Reads ELF files of
// this machine (or below `root`), never the target's memory. No state, one thread per call.
#pragma once

#include <string>
#include <vector>

#include "symbols/collect.h"
#include "symbols/file_root.h"
#include "wire/records.h"

namespace walkabout::symbols {

// One record per module, in the order given; its symbols are sorted by address and do not overlap. found is
// false where no file with the module's build id could be read. root: whose paths the modules' are.
std::vector<wire::NativeSymbols> symbolize(const std::vector<ModuleHits>& hits, const FileRoot& root);

}  // namespace walkabout::symbols
