// Functions of the CLR that are written in assembly: through them code of the program, and stubs, enter the
// runtime. They are known by their code, all bytes of it but addresses; what each calls has its name too. The
// code is the same in .NET 8 to 10 but for what the table says. Where a code is there not at all, or more
// than once, it names nothing.
//
// Pure. Sources: src/coreclr/vm/amd64/{theprestubamd64,externalmethodfixupthunk,virtualcallstubamd64,
// umthunkstub,unixasmmacrosamd64}, callcounting.S, src/coreclr/runtime/amd64/AllocFast.S; checked
// with 8.0.31, 9.0.20, 10.0.12.
#pragma once

#include <cstdint>
#include <vector>

#include "symbols/elf/image_code.h"
#include "symbols/elf/named_start.h"

namespace walkabout::symbols {

// starts: where functions begin, sorted (read_function_starts).
std::vector<NamedStart> read_entry_code(const ImageCode& code, const std::vector<uint32_t>& starts);

}  // namespace walkabout::symbols
