#include "recording/decompress.h"
#include "recording/stored_frame.h"

namespace walkabout::recording {

struct Decompressor::Context {};

Decompressor::Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;
Decompressor::~Decompressor() = default;

bool Decompressor::decompress(std::string_view frame, std::string* raw) {
  what_ = is_stored_frame(frame) ? "a block does not decompress"
                                 : "a block is compressed with zstd, which is not here: read the recording "
                                   "with walkabout on Linux";
  return read_stored_frame(frame, raw);
}

}  // namespace walkabout::recording
