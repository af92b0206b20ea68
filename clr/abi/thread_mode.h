// Whether a thread is in cooperative mode: it runs managed code, or code of the runtime that the collector
// must wait for. A word of the runtime's Thread object says so, m_fPreemptiveGCDisabled.
//
// Source: src/coreclr/vm/threads.h; the offsets were measured on .NET 8, 9 and 10. Another runtime's is not
// known.
#pragma once

#include <cstdint>
#include <optional>

namespace walkabout::clr {

// Bytes from a Thread object's begin to that word, 32 bits, of which a value but 0 says yes.
constexpr std::optional<uint32_t> mode_offset(uint32_t runtime) {
  if (runtime == 8) return 12;
  if (runtime == 9 || runtime == 10) return 4;
  return {};
}

}  // namespace walkabout::clr
