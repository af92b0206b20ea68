#include "precompiled/metadata_tables.h"

#include <algorithm>
#include <initializer_list>

#include "clr/abi/signature_bytes.h"
#include "precompiled/partition_point.h"

namespace walkabout::precompiled {
namespace {

constexpr uint32_t kMetadataSignature = 0x424a5342;  // "BSJB"
constexpr uint16_t kMostStreams = 16;
constexpr size_t kLongestStreamName = 32;
constexpr uint8_t kWideStrings = 1, kWideGuids = 2, kWideBlobs = 4, kExtraWord = 0x40;
constexpr uint32_t kTokenRow = 0x00ffffff;
constexpr uint8_t kNoTable = 0xff;
constexpr size_t kLongestString = 16 << 10;
constexpr size_t kGuidSize = 16;
constexpr size_t kPdbRows = 32;  // of "#Pdb": behind id, entry point and the mask of tables

// What a column holds: a number of bytes, an offset into a heap, a row of a table (kRow + table), or a coded
// index (kCoded + which).
enum Column : uint8_t {
  kEnd = 0,
  kTwo = 2,
  kFour = 4,
  kString = 5,
  kGuid = 6,
  kBlob = 7,
  kRow = 0x40,
  kCoded = 0x80
};

// II.24.2.6: tag bits, then the tables by tag.
struct Coded {
  uint8_t bits;
  std::array<uint8_t, 27> tables;
  uint8_t count;
};
constexpr Coded coded(uint8_t bits, std::initializer_list<uint8_t> tables) {
  Coded made{bits, {}, static_cast<uint8_t>(tables.size())};
  std::copy(tables.begin(), tables.end(), made.tables.begin());
  return made;
}
enum CodedKind : uint8_t {
  kTypeDefOrRef,
  kHasConstant,
  kHasCustomAttribute,
  kHasFieldMarshal,
  kHasDeclSecurity,
  kMemberRefParent,
  kHasSemantics,
  kMethodDefOrRef,
  kMemberForwarded,
  kImplementation,
  kCustomAttributeType,
  kResolutionScope,
  kTypeOrMethodDef,
  kHasCustomDebugInformation,
};
constexpr Coded kCodedKinds[] = {
    coded(2, {0x02, 0x01, 0x1b}),
    coded(2, {0x04, 0x08, 0x17}),
    coded(5, {0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14,
              0x11, 0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b}),
    coded(1, {0x04, 0x08}),
    coded(2, {0x02, 0x06, 0x20}),
    coded(3, {0x02, 0x01, 0x1a, 0x06, 0x1b}),
    coded(1, {0x14, 0x17}),
    coded(1, {0x06, 0x0a}),
    coded(1, {0x04, 0x06}),
    coded(2, {0x26, 0x23, 0x27}),
    coded(3, {kNoTable, kNoTable, 0x06, 0x0a, kNoTable}),
    coded(2, {0x00, 0x1a, 0x23, 0x01}),
    coded(1, {0x02, 0x06}),
    coded(5, {0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14, 0x11, 0x1a, 0x1b,
              0x20, 0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b, 0x30, 0x32, 0x33, 0x34, 0x35}),
};

constexpr uint8_t row(uint8_t table) { return kRow + table; }
constexpr uint8_t one_of(CodedKind kind) { return static_cast<uint8_t>(kCoded + static_cast<uint8_t>(kind)); }

// II.22, by table.
using Columns = std::array<uint8_t, 9>;
constexpr Columns kSchema[Metadata::kTables] = {
    /* 00 Module */ {kTwo, kString, kGuid, kGuid, kGuid},
    /* 01 TypeRef */ {one_of(kResolutionScope), kString, kString},
    /* 02 TypeDef */ {kFour, kString, kString, one_of(kTypeDefOrRef), row(0x04), row(0x06)},
    /* 03 FieldPtr */ {row(0x04)},
    /* 04 Field */ {kTwo, kString, kBlob},
    /* 05 MethodPtr */ {row(0x06)},
    /* 06 MethodDef */ {kFour, kTwo, kTwo, kString, kBlob, row(0x08)},
    /* 07 ParamPtr */ {row(0x08)},
    /* 08 Param */ {kTwo, kTwo, kString},
    /* 09 InterfaceImpl */ {row(0x02), one_of(kTypeDefOrRef)},
    /* 0a MemberRef */ {one_of(kMemberRefParent), kString, kBlob},
    /* 0b Constant */ {kTwo, one_of(kHasConstant), kBlob},
    /* 0c CustomAttribute */ {one_of(kHasCustomAttribute), one_of(kCustomAttributeType), kBlob},
    /* 0d FieldMarshal */ {one_of(kHasFieldMarshal), kBlob},
    /* 0e DeclSecurity */ {kTwo, one_of(kHasDeclSecurity), kBlob},
    /* 0f ClassLayout */ {kTwo, kFour, row(0x02)},
    /* 10 FieldLayout */ {kFour, row(0x04)},
    /* 11 StandAloneSig */ {kBlob},
    /* 12 EventMap */ {row(0x02), row(0x14)},
    /* 13 EventPtr */ {row(0x14)},
    /* 14 Event */ {kTwo, kString, one_of(kTypeDefOrRef)},
    /* 15 PropertyMap */ {row(0x02), row(0x17)},
    /* 16 PropertyPtr */ {row(0x17)},
    /* 17 Property */ {kTwo, kString, kBlob},
    /* 18 MethodSemantics */ {kTwo, row(0x06), one_of(kHasSemantics)},
    /* 19 MethodImpl */ {row(0x02), one_of(kMethodDefOrRef), one_of(kMethodDefOrRef)},
    /* 1a ModuleRef */ {kString},
    /* 1b TypeSpec */ {kBlob},
    /* 1c ImplMap */ {kTwo, one_of(kMemberForwarded), kString, row(0x1a)},
    /* 1d FieldRVA */ {kFour, row(0x04)},
    /* 1e ENCLog */ {kFour, kFour},
    /* 1f ENCMap */ {kFour},
    /* 20 Assembly */ {kFour, kTwo, kTwo, kTwo, kTwo, kFour, kBlob, kString, kString},
    /* 21 AssemblyProcessor */ {kFour},
    /* 22 AssemblyOS */ {kFour, kFour, kFour},
    /* 23 AssemblyRef */ {kTwo, kTwo, kTwo, kTwo, kFour, kBlob, kString, kString, kBlob},
    /* 24 AssemblyRefProcessor */ {kFour, row(0x23)},
    /* 25 AssemblyRefOS */ {kFour, kFour, kFour, row(0x23)},
    /* 26 File */ {kFour, kString, kBlob},
    /* 27 ExportedType */ {kFour, kFour, kString, kString, one_of(kImplementation)},
    /* 28 ManifestResource */ {kFour, kFour, kString, one_of(kImplementation)},
    /* 29 NestedClass */ {row(0x02), row(0x02)},
    /* 2a GenericParam */ {kTwo, kTwo, one_of(kTypeOrMethodDef), kString},
    /* 2b MethodSpec */ {one_of(kMethodDefOrRef), kBlob},
    /* 2c GenericParamConstraint */ {row(0x2a), one_of(kTypeDefOrRef)},
    /* 2d, 2e, 2f: none */ {},
    {},
    {},
    /* 30 Document */ {kBlob, kGuid, kBlob, kGuid},
    /* 31 MethodDebugInformation */ {row(0x30), kBlob},
    /* 32 LocalScope */ {row(0x06), row(0x35), row(0x33), row(0x34), kFour, kFour},
    /* 33 LocalVariable */ {kTwo, kTwo, kString},
    /* 34 LocalConstant */ {kString, kBlob},
    /* 35 ImportScope */ {row(0x35), kBlob},
    /* 36 StateMachineMethod */ {row(0x06), row(0x06)},
    /* 37 CustomDebugInformation */ {one_of(kHasCustomDebugInformation), kGuid, kBlob},
};

size_t column_size(uint8_t column, uint8_t heaps, const std::array<uint32_t, Metadata::kTables>& rows) {
  const auto wide = [heaps](uint8_t flag) { return (heaps & flag) != 0 ? size_t{4} : size_t{2}; };
  if (column == kString) return wide(kWideStrings);
  if (column == kGuid) return wide(kWideGuids);
  if (column == kBlob) return wide(kWideBlobs);
  if (column < kRow) return column;
  if (column < kCoded) return rows[column - kRow] > 0xffff ? 4 : 2;
  const Coded& kind = kCodedKinds[column - kCoded];
  uint32_t most = 0;
  for (size_t i = 0; i < kind.count; ++i) {
    if (kind.tables[i] != kNoTable) most = std::max(most, rows[kind.tables[i]]);
  }
  return most >= 1u << (16 - kind.bits) ? 4 : 2;
}

// 0 for a tag without table.
uint32_t token_of(CodedKind kind, uint32_t value) {
  const Coded& coded = kCodedKinds[kind];
  const uint32_t tag = value & ((1u << coded.bits) - 1);
  if (tag >= coded.count || coded.tables[tag] == kNoTable) return 0;
  return uint32_t{coded.tables[tag]} << 24 | (value >> coded.bits & kTokenRow);
}

}  // namespace

std::optional<Metadata> Metadata::read(Bytes bytes) {
  const auto version = load<uint32_t>(bytes, 12);
  if (load<uint32_t>(bytes, 0) != kMetadataSignature || !version) return std::nullopt;
  uint64_t at = uint64_t{16} + *version + 2;
  const auto streams = load<uint16_t>(bytes, at);
  if (!streams || *streams > kMostStreams) return std::nullopt;
  at += 2;
  Metadata metadata;
  Bytes tables;
  for (uint16_t i = 0; i < *streams; ++i) {
    const auto offset = load<uint32_t>(bytes, at), size = load<uint32_t>(bytes, at + 4);
    const Bytes text = from(bytes, at + 8);
    const size_t longest = std::min(text.size(), kLongestStreamName);
    const auto end = std::find(text.begin(), text.begin() + static_cast<ptrdiff_t>(longest), 0);
    const auto length = static_cast<size_t>(end - text.begin());
    if (!offset || !size || length == longest) return std::nullopt;
    const std::string_view name(reinterpret_cast<const char*>(text.data()), length);
    at += 8 + (length / 4 + 1) * 4;
    if (name == "#~") tables = part(bytes, *offset, *size);
    if (name == "#Strings") metadata.strings_ = part(bytes, *offset, *size);
    if (name == "#Blob") metadata.blobs_ = part(bytes, *offset, *size);
    if (name == "#GUID") metadata.guids_ = part(bytes, *offset, *size);
    if (name == "#Pdb") metadata.pdb_ = part(bytes, *offset, *size);
  }
  if (!metadata.read_tables(tables)) return std::nullopt;
  return metadata;
}

// PortablePdb-Metadata.md, "#Pdb stream".
bool Metadata::read_referenced_rows(std::array<uint32_t, kTables>* rows) const {
  if (pdb_.empty()) return true;
  const auto referenced = load<uint64_t>(pdb_, 24);
  if (!referenced || (*referenced >> kTables) != 0) return false;
  uint64_t at = kPdbRows;
  for (size_t i = 0; i < kTables; ++i) {
    if ((*referenced >> i & 1) == 0) continue;
    const auto count = load<uint32_t>(pdb_, at);
    if (!count || *count > kTokenRow) return false;
    (*rows)[i] = *count;
    at += 4;
  }
  return true;
}

// II.24.2.6
bool Metadata::read_tables(Bytes stream) {
  const auto heaps = load<uint8_t>(stream, 6);
  const auto present = load<uint64_t>(stream, 8);
  if (!heaps || !present || (*present >> kTables) != 0) return false;
  std::array<uint32_t, kTables> rows{};
  if (!read_referenced_rows(&rows)) return false;
  uint64_t at = 24;
  for (size_t i = 0; i < kTables; ++i) {
    if ((*present >> i & 1) == 0) continue;
    const auto count = load<uint32_t>(stream, at);
    if (!count || *count > kTokenRow || kSchema[i][0] == kEnd) return false;
    rows[i] = tables_[i].rows = *count;
    at += 4;
  }
  if ((*heaps & kExtraWord) != 0) at += 4;
  for (size_t i = 0; i < kTables; ++i) {
    Layout& table = tables_[i];
    for (size_t c = 0; c < kSchema[i].size() && kSchema[i][c] != kEnd; ++c) {
      table.offset[c] = static_cast<uint8_t>(table.row_size);
      table.size[c] = static_cast<uint8_t>(column_size(kSchema[i][c], *heaps, rows));
      table.row_size += table.size[c];
    }
    const uint64_t size = uint64_t{table.rows} * table.row_size;
    table.bytes = part(stream, at, size);
    if (table.bytes.size() != size) return false;
    at += size;
  }
  return true;
}

uint32_t Metadata::cell(Table table, uint32_t row, size_t column) const {
  const Layout& layout = tables_[static_cast<size_t>(table)];
  const uint64_t at = uint64_t{row - 1} * layout.row_size + layout.offset[column];
  if (layout.size[column] == 4) return load<uint32_t>(layout.bytes, at).value_or(0);
  return load<uint16_t>(layout.bytes, at).value_or(0);
}

std::string_view Metadata::string(uint32_t offset) const {
  const Bytes rest = from(strings_, offset);
  const Bytes text = rest.first(std::min(rest.size(), kLongestString));
  const auto end = std::find(text.begin(), text.end(), 0);
  if (end == text.end()) return {};
  return {reinterpret_cast<const char*>(text.data()), static_cast<size_t>(end - text.begin())};
}

Bytes Metadata::blob(uint32_t offset) const {
  const Bytes rest = from(blobs_, offset);
  clr::SignatureBytes bytes(rest);
  const uint32_t size = bytes.number();
  return bytes.ok() ? part(rest, rest.size() - bytes.left(), size) : Bytes();
}

Bytes Metadata::guid(uint32_t index) const {
  return index == 0 ? Bytes() : part(guids_, uint64_t{index - 1} * kGuidSize, kGuidSize);
}

Bytes Metadata::module_version() const {
  return has(Table::kModule, 1) ? guid(cell(Table::kModule, 1, 2)) : Bytes();
}

uint32_t Metadata::lower_bound(Table table, size_t column, uint32_t value) const {
  return partition_point(1, rows(table) + 1, [&](uint32_t row) { return cell(table, row, column) < value; });
}

std::optional<Metadata::TypeDef> Metadata::type_def(uint32_t row) const {
  constexpr Table kTable = Table::kTypeDef;
  if (!has(kTable, row)) return std::nullopt;
  return TypeDef{cell(kTable, row, 0), string(cell(kTable, row, 1)), string(cell(kTable, row, 2)),
                 cell(kTable, row, 5)};
}

std::optional<Metadata::TypeRef> Metadata::type_ref(uint32_t row) const {
  constexpr Table kTable = Table::kTypeRef;
  if (!has(kTable, row)) return std::nullopt;
  return TypeRef{token_of(kResolutionScope, cell(kTable, row, 0)), string(cell(kTable, row, 1)),
                 string(cell(kTable, row, 2))};
}

std::optional<Metadata::MethodDef> Metadata::method_def(uint32_t row) const {
  constexpr Table kTable = Table::kMethodDef;
  if (!has(kTable, row)) return std::nullopt;
  // Types have their methods in order: the last one that begins with it or before.
  const uint32_t next = lower_bound(Table::kTypeDef, 5, row + 1);
  return MethodDef{string(cell(kTable, row, 3)), blob(cell(kTable, row, 4)), next - 1, cell(kTable, row, 2),
                   cell(kTable, row, 0)};
}

uint32_t Metadata::outer_of(uint32_t type_def) const {
  constexpr Table kTable = Table::kNestedClass;
  const uint32_t row = lower_bound(kTable, 0, type_def);
  return has(kTable, row) && cell(kTable, row, 0) == type_def ? cell(kTable, row, 1) : 0;
}

Metadata::Range Metadata::generic_parameters(uint32_t token) const {
  const auto table = static_cast<Table>(token >> 24);
  if (table != Table::kTypeDef && table != Table::kMethodDef) return {};
  const uint32_t owner = (token & kTokenRow) << 1 | (table == Table::kMethodDef ? 1 : 0);
  const uint32_t first = lower_bound(Table::kGenericParam, 2, owner);
  return {first, lower_bound(Table::kGenericParam, 2, owner + 1) - first};
}

std::optional<std::string_view> Metadata::generic_parameter(uint32_t row) const {
  if (!has(Table::kGenericParam, row)) return std::nullopt;
  return string(cell(Table::kGenericParam, row, 3));
}

std::optional<std::string_view> Metadata::assembly_ref(uint32_t row) const {
  if (!has(Table::kAssemblyRef, row)) return std::nullopt;
  return string(cell(Table::kAssemblyRef, row, 6));
}

std::string_view Metadata::assembly_name() const {
  return has(Table::kAssembly, 1) ? string(cell(Table::kAssembly, 1, 7)) : std::string_view();
}

std::string_view Metadata::module_name() const {
  return has(Table::kModule, 1) ? string(cell(Table::kModule, 1, 1)) : std::string_view();
}

}  // namespace walkabout::precompiled
