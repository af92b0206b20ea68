#include "pdb/inflated.h"

#include <zlib.h>

namespace walkabout::pdb {
namespace {
constexpr uint64_t kMostRatio = 1032;  // of deflate. Source: zlib's technical details
}

std::vector<uint8_t> inflated(precompiled::Bytes packed, uint64_t size, uint64_t most) {
  if (size == 0 || size > most || size > packed.size() * kMostRatio) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return {};
  stream.next_in = const_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!whole) bytes.clear();
  return bytes;
}

}  // namespace walkabout::pdb
