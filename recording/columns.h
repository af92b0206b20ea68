// Packed varint columns: the inner loop of reading a recording. Throws protozero's exceptions on broken
// varints; recording/decode.cc catches them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wire/frame.h"

namespace walkabout::recording {

// How many varints `bytes` holds (its last one may be broken off).
size_t count_varints(std::string_view bytes);

// Replaces `out` by the varints in `bytes`.
void read_column(std::string_view bytes, std::vector<uint64_t>& out);

// Replaces `out` by the frames whose columns these are.
void read_frames(std::string_view codes, std::string_view offsets, std::vector<wire::Frame>& out);

constexpr int64_t zigzag(uint64_t value) { return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1)); }

}  // namespace walkabout::recording
