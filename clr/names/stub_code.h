// What a stub of the runtime does, by its code on x64. Pure; any thread. Sources: precode.h, callcounting.h,
// virtualcallstub.h in src/coreclr/vm/amd64, dynamichelpers.cpp, cgenamd64.cpp (stubs that instantiate and
// unbox: stublinkerx86.cpp), jithelpers_fast.S and patchedcode.S; codes
// as they are in .NET 8 to 10.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wire/stub_kind.h"

namespace walkabout::clr {

// Around an address that is looked at as many bytes before and behind it say what there is to say.
inline constexpr size_t kStubCodeAround = 192;

// code: with the instruction at [at] in it. kUnknown: it is none that is known.
wire::StubKind stub_kind_of(std::span<const uint8_t> code, size_t at);

}  // namespace walkabout::clr
