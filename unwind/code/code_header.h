// What the runtime keeps of each jitted method: the word before its first instruction points to its code
// header, which holds the method's descriptor and the RUNTIME_FUNCTIONs of the method and its funclets. It is
// there before the method can run. Nothing of it is a public interface: whoever reads it checks it. Source:
// src/coreclr/vm/codeman.h (struct _hpRealCodeHdr) of .NET 8 to 10.
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::unwind {

struct CodeHeader {
  uint64_t debug_info;
  uint64_t eh_info;
  uint64_t gc_info;
  uint64_t method;
  uint32_t unwind_infos;
};
inline constexpr size_t kCodeHeaderSize = 36;   // RUNTIME_FUNCTION[] follows the count without padding
inline constexpr uint32_t kMaxFunclets = 4096;  // RUNTIME_FUNCTIONs of one method

}  // namespace walkabout::unwind
