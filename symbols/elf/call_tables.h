// The functions of the CLR that managed code calls by name, from the tables in which the runtime looks them
// up: QCalls as {name, function}, many in a row; FCalls as {flags, function, name}, in groups, each of which
// the table of classes has with the class's name. A stripped libcoreclr.so has them all.
//
// Pure. Sources: DllImportEntry in src/coreclr/vm/qcallentrypoints.cpp, ECFunc and ECClass in
// src/coreclr/vm/ecall.h.
#pragma once

#include <vector>

#include "symbols/elf/loaded_data.h"
#include "symbols/elf/named_start.h"

namespace walkabout::symbols {

// "DebugDebugger_Launch"; of an FCall the class and the method that is it: "GC.GetMemoryLoad". Methods may
// share a function: then it is there once for each.
std::vector<NamedStart> read_call_tables(const LoadedData& data);

}  // namespace walkabout::symbols
