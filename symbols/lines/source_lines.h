// The source lines of the methods that a recording hit, as the records that complete it. Reads assemblies and
// PDBs of this machine (or below `root`), never the target's memory. Each record is one that a recording
// holds (recording/format.md); what it has no room for is counted. No state, one thread a call.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "symbols/elf/file_root.h"
#include "symbols/lines/assembly_pdb.h"
#include "symbols/lines/line_budget.h"
#include "symbols/lines/lines_left_out.h"
#include "symbols/lines/method_hits.h"
#include "wire/line_records.h"

namespace walkabout::symbols {

inline constexpr size_t kMostDocuments = 20'000;  // of one record

// Gives `take` one record for each assembly, in the order given; `found` is false where no PDB of its build
// could be read. root: whose paths the assemblies' are.
LinesLeftOut source_lines(const std::vector<AssemblyHits>& hits, const FileRoot& root, LineBudget budget,
                          const std::function<void(const wire::SourceLines&)>& take);

// What the PDB says of these methods. REQUIRES: it is there.
wire::SourceLines lines_of(const AssemblyHits& hits, const AssemblyPdb& found, LineBudget& budget,
                           LinesLeftOut& left_out);

}  // namespace walkabout::symbols
