#include "pdb/portable_pdb.h"

#include <algorithm>

#include "clr/abi/signature_bytes.h"
#include "pdb/inflated.h"

namespace walkabout::pdb {
namespace {

using precompiled::Bytes;
using precompiled::from;
using precompiled::load;
using precompiled::Metadata;
using precompiled::part;
using precompiled::Table;

using Guid = std::array<uint8_t, 16>;
constexpr size_t kLongestDocument = 4096;
constexpr size_t kLongestName = 4 * kLongestDocument;  // of references to its parts, four bytes each
constexpr size_t kLongestHash = 64;

// In the order of their bytes.
constexpr Guid kSha1 = {0xec, 0x16, 0x18, 0xff, 0x5e, 0xaa, 0x10, 0x4d,
                        0x87, 0xf7, 0x6f, 0x49, 0x63, 0x83, 0x34, 0x60};
constexpr Guid kSha256 = {0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11, 0x13, 0x42,
                          0x87, 0x8b, 0x77, 0x0e, 0x85, 0x97, 0xac, 0x16};
constexpr Guid kSourceLink = {0x56, 0x05, 0x11, 0xcc, 0x91, 0xa0, 0x38, 0x4d,
                              0x9f, 0xec, 0x25, 0xab, 0x9a, 0x35, 0x1a, 0x6a};

constexpr Guid kEmbeddedSource = {0x1b, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46,
                                  0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe};
constexpr Guid kAsyncSteps = {0xc5, 0x2a, 0xfd, 0x54, 0x25, 0xe9, 0x1a, 0x40,
                              0x9c, 0x2a, 0xf9, 0x4f, 0x17, 0x10, 0x72, 0xf8};
constexpr uint64_t kMostSource = 64 << 20;

bool has_guid(Bytes bytes, const Guid& guid) {
  return std::equal(bytes.begin(), bytes.end(), guid.begin(), guid.end());
}

// Coded indices (II.24.2.6): to the module, the one row of its table, to a document, and to a method.
constexpr uint32_t kModuleParent = 1u << 5 | 7;
uint32_t document_parent(uint32_t row) { return row << 5 | 22; }
uint32_t method_parent(uint32_t row) { return row << 5; }

}  // namespace

std::optional<PortablePdb> PortablePdb::read(Bytes bytes) {
  std::optional<Metadata> tables = Metadata::read(bytes);
  if (!tables) return std::nullopt;
  const Bytes id = part(tables->pdb_stream(), 0, std::tuple_size_v<PdbId>);
  if (id.empty()) return std::nullopt;
  PortablePdb pdb(*tables, bytes);
  std::copy(id.begin(), id.end(), pdb.id_.begin());
  return pdb;
}

// "Document Name Blob": a separator and blobs of what stands between it.
std::string PortablePdb::name_of(Bytes blob) const {
  std::string name;
  clr::SignatureBytes parts(blob);
  const uint8_t separator = parts.byte();
  // One of several bytes no compiler writes. Parts may be empty, and so any number.
  if (separator >= 0x80 || blob.size() > kLongestName) return {};
  for (bool first = true; parts.ok() && parts.left() > 0; first = false) {
    const Bytes text = tables_.blob(parts.number());
    if (!first && separator != 0) name += static_cast<char>(separator);
    if (name.size() + text.size() > kLongestDocument) return {};
    name.append(reinterpret_cast<const char*>(text.data()), text.size());
  }
  return parts.ok() ? name : std::string();
}

size_t PortablePdb::name_size(uint32_t row) const {
  constexpr Table kTable = Table::kDocument;
  const size_t parts = tables_.has(kTable, row) ? tables_.blob(tables_.cell(kTable, row, 0)).size() : 0;
  return parts <= kLongestName ? parts + kLongestDocument : 0;
}

std::optional<Document> PortablePdb::document(uint32_t row) const {
  constexpr Table kTable = Table::kDocument;
  if (!tables_.has(kTable, row)) return std::nullopt;
  Document document;
  document.path = name_of(tables_.blob(tables_.cell(kTable, row, 0)));
  const Bytes algorithm = tables_.guid(tables_.cell(kTable, row, 1));
  if (has_guid(algorithm, kSha1)) document.algorithm = HashAlgorithm::kSha1;
  if (has_guid(algorithm, kSha256)) document.algorithm = HashAlgorithm::kSha256;
  document.hash = tables_.blob(tables_.cell(kTable, row, 2));
  if (document.algorithm == HashAlgorithm::kUnknown || document.hash.size() > kLongestHash)
    document.hash = {};
  return document;
}

Bytes PortablePdb::points_of(uint32_t method) const {
  constexpr Table kTable = Table::kMethodDebugInformation;
  return tables_.has(kTable, method) ? tables_.blob(tables_.cell(kTable, method, 1)) : Bytes();
}

size_t PortablePdb::points_size(uint32_t method) const { return points_of(method).size(); }

std::vector<SequencePoint> PortablePdb::sequence_points(uint32_t method, PointsLoss* loss) const {
  constexpr Table kTable = Table::kMethodDebugInformation;
  const Bytes blob = points_of(method);
  if (!blob.empty()) return read_sequence_points(blob, tables_.cell(kTable, method, 0), loss);
  const bool names_one = tables_.has(kTable, method) && tables_.cell(kTable, method, 1) != 0;
  if (loss != nullptr) *loss = names_one ? PointsLoss::kDamaged : PointsLoss::kNone;
  return {};
}

std::string PortablePdb::hash(base::ShaKind kind) const {
  std::vector<uint8_t> copy(bytes_.begin(), bytes_.end());
  const auto id = tables_.pdb_stream().data() - bytes_.data();
  std::fill_n(copy.begin() + id, id_.size(), uint8_t{0});
  return base::sha(kind, copy);
}

// What the PDB has of this kind about a row. Its table is sorted by these.
Bytes PortablePdb::custom_information(uint32_t parent, const std::array<uint8_t, 16>& kind) const {
  constexpr Table kTable = Table::kCustomDebugInformation;
  for (uint32_t row = tables_.lower_bound(kTable, 0, parent);
       row <= tables_.rows(kTable) && tables_.cell(kTable, row, 0) == parent; ++row) {
    if (has_guid(tables_.guid(tables_.cell(kTable, row, 1)), kind))
      return tables_.blob(tables_.cell(kTable, row, 2));
  }
  return {};
}

Bytes PortablePdb::async_steps(uint32_t method) const {
  return custom_information(method_parent(method), kAsyncSteps);
}

uint32_t PortablePdb::kickoff_method(uint32_t method) const {
  constexpr Table kTable = Table::kStateMachineMethod;
  const uint32_t row = tables_.lower_bound(kTable, 0, method);
  return tables_.has(kTable, row) && tables_.cell(kTable, row, 0) == method ? tables_.cell(kTable, row, 1)
                                                                            : 0;
}

Bytes PortablePdb::source_link() const { return custom_information(kModuleParent, kSourceLink); }

// Behind its size: 0 where it is not compressed.
std::vector<uint8_t> PortablePdb::embedded_source(uint32_t document) const {
  if (!tables_.has(Table::kDocument, document)) return {};
  const Bytes blob = custom_information(document_parent(document), kEmbeddedSource);
  const auto size = load<int32_t>(blob, 0);
  const Bytes text = from(blob, sizeof(int32_t));
  if (!size || *size < 0) return {};
  if (*size > 0) return inflated(text, static_cast<uint64_t>(*size), kMostSource);
  return {text.begin(), text.end()};
}

}  // namespace walkabout::pdb
