// Where functions begin in a file without symbol table: the sorted search table of .eh_frame_hdr has every
// function's start, exported or not, and stripping leaves it in place. Layout: the LSB's "Exception Frame
// Header".
#pragma once

#include <cstdint>
#include <vector>

#include "symbols/elf/elf_file.h"

namespace walkabout::symbols {

// Sorted, without doubles; empty if there is no table or none in the encoding every linker writes
// (DW_EH_PE_datarel | DW_EH_PE_sdata4).
std::vector<uint32_t> read_function_starts(const ElfFile& file);

}  // namespace walkabout::symbols
