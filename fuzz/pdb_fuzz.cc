// A portable PDB, or an image that names one or has one, whatever is in it: lines, places and texts are
// bounded.
#include <string_view>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "pdb/debug_directory.h"
#include "pdb/portable_pdb.h"
#include "pdb/source_link.h"
#include "precompiled/metadata_tables.h"

using namespace walkabout;
using fuzz::expect;

namespace {

constexpr uint32_t kMostRows = 64;
constexpr size_t kMostText = 4096;
constexpr size_t kMostSource = 64 << 20;

void use(const std::vector<uint8_t>& bytes) {
  const auto pdb = pdb::PortablePdb::read(bytes);
  if (!pdb) return;
  const precompiled::Bytes json = pdb->source_link();
  const pdb::SourceLink link({reinterpret_cast<const char*>(json.data()), json.size()});
  for (uint32_t row = 0; row < kMostRows; ++row) {
    if (const auto document = pdb->document(row)) {
      expect(document->path.size() <= kMostText, "paths are bounded");
      expect(link.url_of(document->path).size() <= kMostText, "URLs are bounded");
    }
    expect(pdb->embedded_source(row).size() <= kMostSource, "sources are bounded");
    uint32_t il = 0;
    for (const pdb::SequencePoint& point : pdb->sequence_points(row)) {
      expect(point.il >= il && point.line <= 0x1fffffff, "IL offsets rise, lines are bounded");
      il = point.il;
    }
  }
}

}  // namespace

// u8: 0 a PDB, else an image.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const bool is_image = in.u8() != 0;
  const std::vector<uint8_t> bytes = in.rest();
  if (!is_image) {
    use(bytes);
    return 0;
  }
  const auto image = precompiled::PeLayout::read(bytes);
  if (!image) return 0;
  if (const auto metadata = precompiled::Metadata::read(image->metadata()))
    expect(metadata->module_version().size() % 16 == 0, "a version is whole");
  const pdb::DebugDirectory debug(*image);
  expect(debug.pdb_path().size() <= kMostText, "paths are bounded");
  const std::vector<uint8_t> embedded = debug.embedded_pdb();
  if (const auto read = pdb::PortablePdb::read(embedded)) debug.has_checksum_of(*read);
  use(embedded);
  return 0;
}
