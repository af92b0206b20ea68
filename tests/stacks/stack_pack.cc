#include <zstd.h>

#include <cstring>

#include "tests/stacks/stack_file.h"

namespace walkabout::stacks {
namespace {

constexpr char kMagic[8] = {'W', 'B', 'S', 'T', 'A', 'C', 'K', 'S'};
constexpr int kLevel = 19;

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t unpacked;
};
static_assert(sizeof(Header) == 16);

base::Status damaged(const std::string& what) { return base::Status::error("recorded stacks: " + what); }

}  // namespace

base::Result<std::string> pack(const StackFile& file) {
  const std::string message = encode(file);
  if (message.size() > kMaxBytes) return damaged("too much for one file");
  Header header{{}, kFormatVersion, static_cast<uint32_t>(message.size())};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::string bytes(sizeof header + ZSTD_compressBound(message.size()), '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  const size_t packed = ZSTD_compress(bytes.data() + sizeof header, bytes.size() - sizeof header,
                                      message.data(), message.size(), kLevel);
  if (ZSTD_isError(packed) != 0) return damaged(ZSTD_getErrorName(packed));
  bytes.resize(sizeof header + packed);
  return bytes;
}

base::Result<StackFile> unpack(const std::string& bytes) {
  Header header;
  if (bytes.size() < sizeof header) return damaged("the file is too short");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return damaged("this is not a .stacks file");
  if (header.version != kFormatVersion)
    return damaged("version " + std::to_string(header.version) + " of the format is unknown");
  if (header.unpacked > kMaxBytes) return damaged("it says it is larger than it can be");
  std::string message(header.unpacked, '\0');
  const size_t size = ZSTD_decompress(message.data(), message.size(), bytes.data() + sizeof header,
                                      bytes.size() - sizeof header);
  if (ZSTD_isError(size) != 0 || size != message.size()) return damaged("it cannot be unpacked");
  return decode(message);
}

}  // namespace walkabout::stacks
