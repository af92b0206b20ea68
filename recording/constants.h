// The numbers of recording/format.md: layout of a .walk file and the limits a reader holds a hostile one to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "wire/varint.h"

namespace walkabout::recording {

inline constexpr std::string_view kMagic("\x89WALK\r\n\x1a", 8);
inline constexpr uint32_t kFormatVersion = 2;  // readers know every version up to it
inline constexpr size_t kHeaderBytes = 16;     // magic, version, flags

inline constexpr std::string_view kSync("WBLK", 4);
inline constexpr size_t kBlockHeaderBytes = 16;  // sync, compressed size, raw size, checksum

// A block ends when it has this many raw bytes, or after a Counters record when it has the smaller number.
inline constexpr size_t kBlockTargetBytes = 128 * 1024;
inline constexpr size_t kBlockFreshBytes = 4 * 1024;

inline constexpr size_t kMaxRecordBytes = 16 * 1024 * 1024;
inline constexpr size_t kMaxBlockBytes = 64 * 1024 * 1024;  // raw and compressed
// Raw bytes per compressed byte over the slack: what zstd reaches with equal bytes, 128 KiB of them in a
// block of 4 bytes. Deep stacks of one method come near it.
inline constexpr size_t kMaxExpansion = 32 * 1024;
inline constexpr size_t kExpansionSlack = 4096;

inline constexpr uint64_t kMaxTime =
    uint64_t{1} << 52;  // of every time and weight: exact as a double, sums do not overflow
inline constexpr uint32_t kMaxNodes = 1u << 27;  // of one tree of stacks
inline constexpr uint32_t kMaxSources = 64;      // and the highest id of one
inline constexpr size_t kMaxSourceColumns = 16;  // values, and labels

inline constexpr size_t kMaxVarintBytes = wire::kMaxVarintBytes;

}  // namespace walkabout::recording
