// Where an async method's awaits are: the place in its MoveNext's IL, by the state that the method has while
// it is suspended there. Hostile bytes. Pure; any thread. Source: AsyncMethodSteppingInformation in
// docs/specs/PortablePdb-Metadata.md of dotnet/runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

inline constexpr size_t kMostAwaits = 4096;      // of a method: those beyond are left out
inline constexpr size_t kMostAwaitIl = 1 << 20;  // bytes of IL that are looked at

// By state, from 0: the await's IL offset + 1; 0: not known. steps: the PDB's blob, which has the places
// where the method yields. In front of each the IL stores the state's number; a place where it does not is
// left out.
std::vector<uint64_t> awaits_of(precompiled::Bytes steps, precompiled::Bytes il);

}  // namespace walkabout::pdb
