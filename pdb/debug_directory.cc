#include "pdb/debug_directory.h"

#include <zlib.h>

#include <algorithm>

namespace walkabout::pdb {
namespace {

using precompiled::Bytes;
using precompiled::from;
using precompiled::load;
using precompiled::part;

constexpr size_t kEntrySize = 28;
constexpr uint32_t kMostEntries = 64;
constexpr uint32_t kCodeView = 2, kEmbeddedPdb = 17;
constexpr uint32_t kCodeViewSignature = 0x53445352;  // "RSDS"
constexpr uint32_t kEmbeddedSignature = 0x4244504d;  // "MPDB"
constexpr uint16_t kPortable = 0x504d;               // the minor version of a portable PDB's entry
constexpr size_t kGuidSize = 16;
constexpr size_t kLongestPath = 4096;
constexpr uint64_t kMostPdb = 256 << 20;
constexpr uint64_t kMostRatio = 1032;  // of deflate. Source: zlib's technical details

std::string text_at(Bytes bytes) {
  const size_t longest = std::min(bytes.size(), kLongestPath);
  const auto end = std::find(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(longest), 0);
  return {bytes.begin(), end};
}

}  // namespace

DebugDirectory::DebugDirectory(const precompiled::PeLayout& image) {
  const Bytes entries = image.directory(precompiled::PeLayout::Which::kDebug);
  for (uint32_t i = 0; i < std::min<size_t>(entries.size() / kEntrySize, kMostEntries); ++i) {
    const Bytes entry = part(entries, i * kEntrySize, kEntrySize);
    const uint32_t type = load<uint32_t>(entry, 12).value_or(0);
    const Bytes data =
        image.at({load<uint32_t>(entry, 20).value_or(0), load<uint32_t>(entry, 16).value_or(0)});
    if (type == kEmbeddedPdb && load<uint32_t>(data, 0) == kEmbeddedSignature) embedded_ = data;
    if (type != kCodeView || load<uint16_t>(entry, 10) != kPortable ||
        load<uint32_t>(data, 0) != kCodeViewSignature)
      continue;
    const Bytes guid = part(data, 4, kGuidSize);
    const Bytes stamp = part(entry, 4, 4);
    if (guid.empty()) continue;
    id_.emplace();
    std::copy(stamp.begin(), stamp.end(), std::copy(guid.begin(), guid.end(), id_->begin()));
    path_ = text_at(from(data, 4 + kGuidSize + 4));
  }
}

std::vector<uint8_t> DebugDirectory::embedded_pdb() const {
  const uint64_t size = load<uint32_t>(embedded_, 4).value_or(0);
  const Bytes packed = from(embedded_, 8);
  if (size == 0 || size > kMostPdb || size > packed.size() * kMostRatio) return {};
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
