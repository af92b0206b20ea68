#include <zstd.h>

#include "recording/decompress.h"

namespace walkabout::recording {

struct Decompressor::Context {
  ZSTD_DCtx* const zstd = ZSTD_createDCtx();
  ~Context() { ZSTD_freeDCtx(zstd); }
};

Decompressor::Decompressor() : context_(std::make_unique<Context>()) {}
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;
Decompressor::~Decompressor() = default;

bool Decompressor::decompress(std::string_view frame, std::string* raw) {
  const size_t size =
      ZSTD_decompressDCtx(context_->zstd, raw->data(), raw->size(), frame.data(), frame.size());
  what_ = "a block does not decompress";
  return ZSTD_isError(size) == 0 && size == raw->size();
}

}  // namespace walkabout::recording
