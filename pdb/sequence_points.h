// Which source line each part of a method's IL is of, from the blob that a portable PDB has for it. Hostile
// bytes: of a damaged blob nothing is given, for half of it could name wrong lines, and nothing of one that
// has no end. Pure; any thread. Source:
// docs/specs/PortablePdb-Metadata.md of dotnet/runtime, "Sequence Points Blob".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

// From `il` to the next point.
struct SequencePoint {
  uint32_t il = 0;
  uint32_t document = 0;  // row of its Document
  uint32_t line = 0;      // from 1; 0: hidden, code that the compiler made up
  uint32_t last_line = 0;
  bool operator==(const SequencePoint&) const = default;
};

inline constexpr size_t kMostPoints = 1 << 16;  // of a method

// Why a method's points are not given.
enum class PointsLoss : uint8_t { kNone = 0, kDamaged = 1, kTooMany = 2 };

// By IL offset, rising. document: as the method's row has it; 0: the blob says it. loss: set if not null.
std::vector<SequencePoint> read_sequence_points(precompiled::Bytes blob, uint32_t document,
                                                PointsLoss* loss = nullptr);

}  // namespace walkabout::pdb
