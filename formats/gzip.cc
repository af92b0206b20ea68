#include "formats/gzip.h"

#include <zlib.h>

#include <cstdint>

#include "formats/deflate.h"

namespace walkabout::formats {
namespace {

// Magic, deflate, no flags, no time, no extra flags, operating system unknown.
constexpr std::string_view kHeader("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10);

void append_u32(uint64_t value, std::string& out) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(value >> shift));
}

}  // namespace

base::Result<std::string> gzip(std::string_view bytes) {
  base::Result<std::string> body = deflate_raw(bytes);
  if (!body.ok()) return body.status();
  std::string out(kHeader);
  out += *body;
  append_u32(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()), out);
  append_u32(bytes.size(), out);  // modulo 2^32
  return out;
}

}  // namespace walkabout::formats
