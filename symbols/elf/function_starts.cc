#include "symbols/elf/function_starts.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace walkabout::symbols {
namespace {

constexpr uint8_t kSdata4 = 0x0b;
constexpr uint8_t kUdata4 = 0x03;
constexpr uint8_t kPcrelSdata4 = 0x1b;
constexpr uint8_t kDatarelSdata4 = 0x3b;
// version, three encodings, eh_frame pointer, count
constexpr size_t kHeaderBytes = 12;
constexpr size_t kEntryBytes = 8;

struct Header {
  uint8_t version = 0;
  uint8_t frame_encoding = 0;
  uint8_t count_encoding = 0;
  uint8_t table_encoding = 0;
  uint32_t frame = 0;
  uint32_t count = 0;
};
static_assert(sizeof(Header) == kHeaderBytes);

bool understood(const Header& h) {
  return h.version == 1 && (h.frame_encoding == kPcrelSdata4 || h.frame_encoding == kSdata4) &&
         h.count_encoding == kUdata4 && h.table_encoding == kDatarelSdata4;
}

}  // namespace

std::vector<uint32_t> read_function_starts(const ElfFile& file) {
  std::vector<uint32_t> starts;
  const Section section = file.section(".eh_frame_hdr");
  const std::string_view bytes = ElfFile::bytes(section);
  if (bytes.size() < kHeaderBytes) return starts;
  Header header;
  std::memcpy(&header, bytes.data(), kHeaderBytes);
  if (!understood(header)) return starts;
  const size_t count = std::min<size_t>(header.count, (bytes.size() - kHeaderBytes) / kEntryBytes);
  starts.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    int32_t offset;
    std::memcpy(&offset, bytes.data() + kHeaderBytes + i * kEntryBytes, sizeof offset);
    const uint64_t start = section.header.sh_addr + static_cast<uint64_t>(int64_t{offset});
    if (start <= std::numeric_limits<uint32_t>::max()) starts.push_back(static_cast<uint32_t>(start));
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  return starts;
}

}  // namespace walkabout::symbols
