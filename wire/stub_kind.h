// What a stub does, as far as its code says. It lies in a stub's frame beside the address: bits 48 to 55 of
// what FrameKind::kStub has there. The handler knows none; the agent's thread that writes the stream looks.
#pragma once

#include <cstdint>

#include "wire/frame.h"

namespace walkabout::wire {

enum class StubKind : uint8_t {
  kUnknown = 0,
  kMethodEntry = 1,    // a precode: jumps to a method's code, or to what has it compiled first
  kCallCounting = 2,   // counts calls of tier-0 code, and jumps to it
  kInterfaceCall = 3,  // virtual stub dispatch: compares the object's type, looks it up, or asks the runtime
  kVirtualCall = 4,    // jumps through the object's table of methods
  kWriteBarrier = 5,   // stores a reference and marks the card
  kHelper = 6,         // gives a helper of precompiled code what it is about, and jumps to it
  kDelegateCall = 7,   // moves the arguments of a delegate to a static method, and jumps to that
  kGenericCall = 8,    // tells shared generic code what it is made for, and jumps to it
  kUnboxing = 9,       // gives a struct's method what lies in the box, and jumps to it
};
inline constexpr unsigned kStubKindShift = 48;

// REQUIRES, of all: kind() == FrameKind::kStub.
constexpr Frame with_stub_kind(Frame stub, StubKind kind) {
  return {stub.bits | static_cast<uint64_t>(kind) << kStubKindShift};
}
constexpr StubKind stub_kind(Frame stub) { return static_cast<StubKind>(stub.bits >> kStubKindShift & 0xff); }
constexpr uint64_t stub_address(Frame stub) { return stub.bits & ((uint64_t{1} << kStubKindShift) - 1); }

}  // namespace walkabout::wire
