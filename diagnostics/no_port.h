// Why a process has no diagnostics port, in a sentence for its user: read from its environment and the
// program it runs. Allocates; no state.
#pragma once

#include "base/result.h"
#include "diagnostics/process.h"
#include "symbols/elf/elf_file.h"

namespace walkabout::diagnostics {

enum class NoPort {
  kNoSocket,
  kStale,      // nobody listens on it
  kForbidden,  // we may not connect
  kForeign,    // another process or user made it
};
base::Status why_no_port(const Process& process, NoPort what);

// A process this young may have its port in a moment: its runtime starts, or it will, or what it is now (a
// script, a starter) becomes a .NET program. Not where the cause is another, or where it cannot be one.
bool may_have_port_soon(const Process& process, NoPort what);

// What the program's file shows. Sections: native ahead-of-time compilation names them (ILCompiler's
// ManagedCodeSection).
bool is_native_aot(const symbols::ElfFile& program);
bool is_native_aot(const Process& process);
// The runtime's library is mapped, or the program has it inside (single-file).
bool has_runtime(const Process& process);

}  // namespace walkabout::diagnostics
