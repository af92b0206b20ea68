// The source lines of the methods that a recording hit, as the records that complete it. Reads assemblies and
// PDBs of this machine (or below `root`), never the target's memory. No state, one thread a call.
#pragma once

#include <vector>

#include "symbols/elf/file_root.h"
#include "symbols/lines/assembly_pdb.h"
#include "symbols/lines/method_hits.h"
#include "wire/line_records.h"

namespace walkabout::symbols {

// One record for each assembly, in the order given; `found` is false where no PDB of its build could be read.
// root: whose paths the assemblies' are.
std::vector<wire::SourceLines> source_lines(const std::vector<AssemblyHits>& hits, const FileRoot& root);

// What the PDB says of these methods. REQUIRES: it is there.
wire::SourceLines lines_of(const AssemblyHits& hits, const AssemblyPdb& found);

}  // namespace walkabout::symbols
