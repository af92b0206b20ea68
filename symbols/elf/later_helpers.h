// The helpers of the JIT whose functions the runtime chooses when it starts: allocators for the machine,
// write barriers, throwing. They are in a table of their own, by number (JitHelpers::later): an address that
// the file has, and in place of it what the code that starts the runtime sets. The function that sets one is
// found by its code, and by it the table and every call of it whose function and number are plain in the code
// before.
//
// The table is believed where it has what the release's other tables say of it: its slow allocators of
// objects and arrays are those that have names already. Otherwise there are no names.
//
// Pure. Sources: hlpDynamicFuncTable and _SetJitHelperFunction in src/coreclr/vm/jitinterface.cpp; checked
// with 8.0.31, 9.0.20, 10.0.12.
#pragma once

#include <vector>

#include "symbols/elf/image_code.h"
#include "symbols/elf/jit_helpers.h"
#include "symbols/elf/loaded_data.h"
#include "symbols/elf/named_start.h"

namespace walkabout::symbols {

// data: of .data. A function that is several helpers is there once for each.
std::vector<NamedStart> read_later_helpers(const ImageCode& code, const LoadedData& data,
                                           const JitHelpers& helpers);

}  // namespace walkabout::symbols
