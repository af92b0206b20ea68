// A portable PDB, or an image that names one or has one, whatever is in it: lines, places, texts and the
// record that is made of them are bounded.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "pdb/debug_directory.h"
#include "pdb/light_il.h"
#include "pdb/portable_pdb.h"
#include "pdb/source_link.h"
#include "precompiled/metadata_tables.h"
#include "recording/constants.h"
#include "symbols/lines/source_lines.h"
#include "wire/encode.h"

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
    pdb::PointsLoss loss = pdb::PointsLoss::kNone;
    const std::vector<pdb::SequencePoint> points = pdb->sequence_points(row, &loss);
    expect(points.size() <= pdb::kMostPoints, "a method's points are bounded");
    expect(points.empty() || loss == pdb::PointsLoss::kNone, "of a damaged blob nothing is given");
    expect(points.size() <= pdb->points_size(row), "each point has its bytes");
    for (const pdb::SequencePoint& point : points) {
      expect(point.il >= il && point.line <= 0x1fffffff, "IL offsets rise, lines are bounded");
      il = point.il;
    }
  }
}

void use(const wire::SourceLines& lines) {
  std::string bytes;
  wire::encode(lines, bytes);
  expect(bytes.size() <= recording::kMaxRecordBytes, "it is a record");
  for (const wire::MethodLines& method : lines.methods) {
    const auto fits = [&](size_t size) { return size == method.il.size(); };
    expect(!method.il.empty() && std::is_sorted(method.il.begin(), method.il.end()), "IL offsets rise");
    expect(fits(method.line.size()), "each point has its line");
    expect(method.document.size() == 1 || fits(method.document.size()), "and its document");
    expect(method.light.empty() || fits(method.light.size()), "and its weight");
    for (const uint64_t document : method.document)
      expect(document <= lines.documents.size(), "a document is there");
    for (const uint64_t weight : method.light) expect(weight < 2 * wire::kBeginsOnStack, "a weight is known");
  }
}

// Makes the PDB the one that the assembly names.
void adopt(std::vector<uint8_t>& pdb, const pdb::PdbId& wanted) {
  const auto read = pdb::PortablePdb::read(pdb);
  if (!read) return;
  const pdb::PdbId id = read->id();
  const auto at = std::search(pdb.begin(), pdb.end(), id.begin(), id.end());
  std::copy(wanted.begin(), wanted.end(), at);
}

// The lines of an assembly, with the PDB that it has or is given.
void use(std::vector<uint8_t> image, std::vector<uint8_t> pdb, precompiled::Bytes version) {
  symbols::AssemblyHits hits{{base::AssemblyId(1), "/a.dll", std::string(version.begin(), version.end())},
                             {}};
  for (uint32_t row = 0; row < kMostRows; ++row) hits.methods.insert(0x06000000 | row);
  symbols::LineBudget budget;
  budget.bytes = 1 << 20, budget.points = 100'000;
  symbols::AssemblyPdb found(hits.assembly, budget);
  if (!found.take_assembly(std::move(image), "/a.dll")) return;
  for (uint32_t row = 0; row < kMostRows; ++row) pdb::weight_of(found.il_of(row));
  if (found.pdb() == nullptr && found.wanted()) {
    adopt(pdb, *found.wanted());
    found.take_pdb(std::move(pdb), "/a.pdb");
  }
  if (found.pdb() == nullptr) return;
  symbols::LinesLeftOut left_out;
  const wire::SourceLines lines = symbols::lines_of(hits, found, budget, left_out);
  use(lines);
  expect(left_out.sentences().size() <= static_cast<size_t>(symbols::LineLoss::kCount),
         "one sentence for each cause");
}

}  // namespace

// u8: 0 a PDB; 1 an image; else an image, of so many bytes as the u16 behind says, and its PDB.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint8_t shape = in.u8();
  const bool has_pdb = shape > 1;
  const std::vector<uint8_t> bytes = has_pdb ? in.bytes(in.u16()) : in.rest();
  if (shape == 0) {
    use(bytes);
    return 0;
  }
  const auto image = precompiled::PeLayout::read(bytes);
  if (!image) return 0;
  const auto metadata = precompiled::Metadata::read(image->metadata());
  const precompiled::Bytes version = metadata ? metadata->module_version() : precompiled::Bytes();
  expect(version.size() % 16 == 0, "a version is whole");
  const pdb::DebugDirectory debug(*image);
  expect(debug.pdb_path().size() <= kMostText, "paths are bounded");
  const std::vector<uint8_t> embedded = debug.embedded_pdb();
  if (const auto read = pdb::PortablePdb::read(embedded)) debug.has_checksum_of(*read);
  use(embedded);
  use(bytes, in.rest(), version);
  return 0;
}
