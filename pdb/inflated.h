// What deflate has packed, where its size is known: PDBs in images, sources in PDBs. Hostile bytes. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

// Empty when it does not give exactly `size` bytes, or those are more than `most`; no memory is taken then
// that `packed` could not fill.
std::vector<uint8_t> inflated(precompiled::Bytes packed, uint64_t size, uint64_t most);

}  // namespace walkabout::pdb
