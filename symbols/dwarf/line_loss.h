// Why addresses have no source line although there is DWARF of their code. Constants; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace walkabout::symbols {

enum class NativeLoss : uint8_t {
  kDamaged = 0,     // what the DWARF has for it is none
  kLacksPart = 1,   // a part of it is in a file that is not there
  kTooBig = 2,      // it takes more memory than it may
  kUsedUp = 3,      // it takes more time than it may
  kRecordFull = 4,  // one library's record has no room
  kNotRead = 5,     // no process could be made that reads it
  kCount = 6,
};
using NativeLosses = std::array<uint64_t, static_cast<size_t>(NativeLoss::kCount)>;  // addresses, by cause

}  // namespace walkabout::symbols
