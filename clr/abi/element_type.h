// ELEMENT_TYPE_*: the kinds of types in signature blobs. Source: ECMA-335 II.23.1.16; 0x21 and 0x22 are the
// CLR's own and appear in the signatures of dynamic methods and IL stubs only.
#pragma once

#include <string_view>

#include "clr/abi/types.h"

namespace walkabout::clr {

enum ElementType : uint8_t {
  kElementVoid = 0x01,
  kElementBoolean = 0x02,
  kElementChar = 0x03,
  kElementI1 = 0x04,
  kElementU1 = 0x05,
  kElementI2 = 0x06,
  kElementU2 = 0x07,
  kElementI4 = 0x08,
  kElementU4 = 0x09,
  kElementI8 = 0x0a,
  kElementU8 = 0x0b,
  kElementR4 = 0x0c,
  kElementR8 = 0x0d,
  kElementString = 0x0e,
  kElementPointer = 0x0f,
  kElementByRef = 0x10,
  kElementValueType = 0x11,
  kElementClass = 0x12,
  kElementVar = 0x13,
  kElementArray = 0x14,
  kElementGenericInstance = 0x15,
  kElementTypedByRef = 0x16,
  kElementNativeInt = 0x18,
  kElementNativeUInt = 0x19,
  kElementFunctionPointer = 0x1b,
  kElementObject = 0x1c,
  kElementVector = 0x1d,  // SZARRAY: one dimension, lower bound 0
  kElementMethodVar = 0x1e,
  kElementRequiredModifier = 0x1f,
  kElementOptionalModifier = 0x20,
  kElementInternal = 0x21,          // a type handle follows
  kElementInternalModifier = 0x22,  // one byte and a type handle follow
  kElementSentinel = 0x41,
  kElementPinned = 0x45,
};

// A type by itself: nothing of it follows.
constexpr bool is_whole(CorElementType e) {
  return (e >= kElementVoid && e <= kElementString) || e == kElementTypedByRef || e == kElementNativeInt ||
         e == kElementNativeUInt || e == kElementObject;
}
// "int" for kElementI4; empty for kinds that need more than one byte to say.
std::string_view keyword_of(CorElementType element);
// "int" for "System.Int32"; the name itself where C# has no keyword for it.
std::string_view keyword_for(std::string_view type_name);

}  // namespace walkabout::clr
