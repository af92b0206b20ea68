// The tables and heaps of an assembly's metadata, or of a portable PDB, from its bytes. They are hostile: a
// row or a text that is not there is not given, and whoever follows references bounds his way himself.
//
// Immutable; any thread. Nothing is copied: the bytes must outlive this and all it hands out. Sources:
// ECMA-335 II.22 (tables), II.24 (layout); docs/specs/PortablePdb-Metadata.md of dotnet/runtime. Only
// metadata of the compressed kind ("#~") is read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "precompiled/bytes.h"

namespace walkabout::precompiled {

enum class Table : uint8_t {
  kModule = 0x00,
  kTypeRef = 0x01,
  kTypeDef = 0x02,
  kField = 0x04,
  kMethodDef = 0x06,
  kInterfaceImpl = 0x09,
  kMemberRef = 0x0a,
  kCustomAttribute = 0x0c,
  kStandAloneSig = 0x11,
  kPropertyMap = 0x15,
  kProperty = 0x17,
  kMethodSemantics = 0x18,
  kTypeSpec = 0x1b,
  kAssembly = 0x20,
  kAssemblyRef = 0x23,
  kNestedClass = 0x29,
  kGenericParam = 0x2a,
  kMethodSpec = 0x2b,
  // Of a portable PDB.
  kDocument = 0x30,
  kMethodDebugInformation = 0x31,
  kStateMachineMethod = 0x36,
  kCustomDebugInformation = 0x37,
};

class Metadata {
 public:
  static constexpr size_t kTables = 0x38;

  // None when these are no metadata, or their tables are not all there.
  static std::optional<Metadata> read(Bytes bytes);

  uint32_t rows(Table table) const { return tables_[static_cast<size_t>(table)].rows; }

  // Rows are numbered from 1. None when there is no such row.
  struct TypeDef {
    uint32_t flags = 0;
    std::string_view name, space;
    uint32_t first_method = 0;
  };
  std::optional<TypeDef> type_def(uint32_t row) const;
  struct TypeRef {
    uint32_t scope = 0;  // a token; 0: of a kind that no name needs
    std::string_view name, space;
  };
  std::optional<TypeRef> type_ref(uint32_t row) const;
  struct MethodDef {
    std::string_view name;
    Bytes signature;
    uint32_t owner = 0;       // row of its TypeDef
    uint32_t attributes = 0;  // clr::CorMethodAttr
    uint32_t rva = 0;         // of its IL; 0: it has none
  };
  std::optional<MethodDef> method_def(uint32_t row) const;
  // Row of the TypeDef around a nested one; 0 if there is none.
  uint32_t outer_of(uint32_t type_def) const;
  // Rows of the generic parameters of a TypeDef or MethodDef: [first, first + count).
  struct Range {
    uint32_t first = 0, count = 0;
  };
  Range generic_parameters(uint32_t token) const;
  std::optional<std::string_view> generic_parameter(uint32_t row) const;
  std::optional<std::string_view> assembly_ref(uint32_t row) const;
  std::string_view assembly_name() const;
  std::string_view module_name() const;
  // The MVID, 16 bytes that no other build of the module has; empty if there is none.
  Bytes module_version() const;

  // For a reader of tables that have no function here (pdb/portable_pdb.h).
  // Of a portable PDB its "#Pdb" stream; empty: these are an assembly's metadata.
  Bytes pdb_stream() const { return pdb_; }
  bool has(Table table, uint32_t row) const { return row != 0 && row <= rows(table); }
  // REQUIRES: has(table, row), and that its rows have this column.
  uint32_t cell(Table table, uint32_t row, size_t column) const;
  // By a cell's value; empty when it is not there.
  Bytes blob(uint32_t offset) const;
  Bytes guid(uint32_t index) const;
  std::string_view string(uint32_t offset) const;
  // The first row whose cell is not below `value`, of a table that is sorted by that column; rows + 1: none.
  uint32_t lower_bound(Table table, size_t column, uint32_t value) const;

 private:
  static constexpr size_t kMostColumns = 9;
  struct Layout {
    uint32_t rows = 0;
    uint32_t row_size = 0;
    std::array<uint8_t, kMostColumns> offset{}, size{};
    Bytes bytes;
  };

  bool read_tables(Bytes stream);
  // Of the assembly that a PDB is of: how many rows its tables have, which decides how wide references are.
  bool read_referenced_rows(std::array<uint32_t, kTables>* rows) const;

  std::array<Layout, kTables> tables_;
  Bytes strings_, blobs_, guids_, pdb_;
};

}  // namespace walkabout::precompiled
