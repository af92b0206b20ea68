// Which source line each part of a method's IL is of, from the blob that a portable PDB has for it. Hostile
// bytes: of a damaged blob nothing is given, for half of it could name wrong lines. Pure; any thread. Source:
// docs/specs/PortablePdb-Metadata.md of dotnet/runtime, "Sequence Points Blob".
#pragma once

#include <cstdint>
#include <vector>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

// From `il` to the next point.
struct SequencePoint {
  uint32_t il = 0;
  uint32_t document = 0;  // row of its Document
  uint32_t line = 0;      // from 1; 0: hidden, code that the compiler made up
  bool operator==(const SequencePoint&) const = default;
};

// By IL offset, rising. document: as the method's row has it; 0: the blob says it.
std::vector<SequencePoint> read_sequence_points(precompiled::Bytes blob, uint32_t document);

}  // namespace walkabout::pdb
