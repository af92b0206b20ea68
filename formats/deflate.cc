#include "formats/deflate.h"

#include <zlib.h>

#include <algorithm>

namespace walkabout::formats {
namespace {

constexpr int kRaw = -MAX_WBITS;  // negative: no header. Source: zlib.h, deflateInit2
constexpr int kMemory = 8;
constexpr size_t kChunk = 1 << 16;
constexpr size_t kMostInput = 1 << 30;  // avail_in has 32 bits

}  // namespace

base::Result<std::string> deflate_raw(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    return base::Status::error("zlib cannot compress the report: out of memory");
  }
  std::string out;
  size_t taken = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const size_t part = std::min(bytes.size() - taken, kMostInput);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));
    stream.avail_in = static_cast<uInt>(part);
    const size_t size = out.size();
    out.resize(size + std::max(kChunk, size / 2));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + size);
    stream.avail_out = static_cast<uInt>(std::min(out.size() - size, kMostInput));
    const size_t room = stream.avail_out;
    state = deflate(&stream, taken + part == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    taken += part - stream.avail_in;
    out.resize(size + room - stream.avail_out);
  }
  deflateEnd(&stream);
  if (state != Z_STREAM_END) return base::Status::error("zlib failed to compress the report");
  return out;
}

}  // namespace walkabout::formats
