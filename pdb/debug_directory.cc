#include "pdb/debug_directory.h"

#include <algorithm>

#include "pdb/inflated.h"

namespace walkabout::pdb {
namespace {

using precompiled::Bytes;
using precompiled::from;
using precompiled::load;
using precompiled::part;

constexpr size_t kEntrySize = 28;
constexpr uint32_t kMostEntries = 64;
constexpr uint32_t kCodeView = 2, kEmbeddedPdb = 17, kPdbChecksum = 19;
constexpr uint32_t kCodeViewSignature = 0x53445352;  // "RSDS"
constexpr uint32_t kEmbeddedSignature = 0x4244504d;  // "MPDB"
constexpr uint16_t kPortable = 0x504d;               // the minor version of a portable PDB's entry
constexpr size_t kGuidSize = 16;
constexpr size_t kLongestPath = 4096;
constexpr uint64_t kMostPdb = 256 << 20;

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
    if (type == kPdbChecksum) {
      const std::string algorithm = text_at(data);
      checksums_.push_back({algorithm, from(data, algorithm.size() + 1)});
    }
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
  return inflated(from(embedded_, 8), load<uint32_t>(embedded_, 4).value_or(0), kMostPdb);
}

bool DebugDirectory::has_checksum_of(const PortablePdb& pdb) const {
  return std::all_of(checksums_.begin(), checksums_.end(), [&pdb](const Checksum& checksum) {
    const std::optional<base::ShaKind> kind = base::sha_kind(checksum.algorithm);
    const Bytes& hash = checksum.hash;
    return !kind || pdb.hash(*kind) == std::string(hash.begin(), hash.end());
  });
}

}  // namespace walkabout::pdb
