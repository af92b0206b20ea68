// The bytes of a type that its element in a signature tells. Pure; any thread.
#pragma once

#include <cstdint>

#include "clr/abi/element_type.h"

namespace walkabout::values {

// Not of value types and generic parameters, which have a size of their own.
constexpr uint32_t primitive_bytes(uint8_t element) {
  switch (element) {
    case clr::kElementBoolean:
    case clr::kElementI1:
    case clr::kElementU1:
      return 1;
    case clr::kElementChar:
    case clr::kElementI2:
    case clr::kElementU2:
      return 2;
    case clr::kElementI4:
    case clr::kElementU4:
    case clr::kElementR4:
      return 4;
    default:
      return 8;
  }
}

}  // namespace walkabout::values
