// A portable PDB: the documents that a module was compiled of, and the lines of its methods. Hostile bytes:
// what is not there is not given, and no text is longer than it may be.
//
// Immutable; any thread. Nothing is copied but what is handed out by value: the bytes must outlive this.
// Source: docs/specs/PortablePdb-Metadata.md of dotnet/runtime.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sha.h"
#include "pdb/sequence_points.h"
#include "precompiled/metadata_tables.h"

namespace walkabout::pdb {

// Of one build: its image names it as well (pdb/debug_directory.h).
using PdbId = std::array<uint8_t, 20>;

enum class HashAlgorithm : uint8_t { kUnknown = 0, kSha1 = 1, kSha256 = 2 };

struct Document {
  std::string path;  // where the compiler read it: "/src/app/Program.cs", "/_/src/Json.cs"
  HashAlgorithm algorithm = HashAlgorithm::kUnknown;
  precompiled::Bytes hash;  // of its contents
};

class PortablePdb {
 public:
  // None when these bytes are no portable PDB.
  static std::optional<PortablePdb> read(precompiled::Bytes bytes);

  const PdbId& id() const { return id_; }
  // Of its bytes, those of its id taken as 0: what an image has of it (pdb/debug_directory.h).
  std::string hash(base::ShaKind kind) const;
  uint32_t documents() const { return tables_.rows(precompiled::Table::kDocument); }
  // Rows are numbered from 1. None when there is no such row.
  std::optional<Document> document(uint32_t row) const;
  // Bytes that document() goes through at most.
  size_t name_size(uint32_t row) const;
  // The text of a document, as the compiler read it, where the PDB has it; empty: it has not, or it is
  // damaged. Decompresses it each time.
  std::vector<uint8_t> embedded_source(uint32_t document) const;
  // Of the method with this row in the module's MethodDef table; empty: it has none, or they are lost. loss:
  // set if not null.
  std::vector<SequencePoint> sequence_points(uint32_t method, PointsLoss* loss = nullptr) const;
  // Bytes that they are made of; 0: it has none. Any number of methods may name the same.
  size_t points_size(uint32_t method) const;
  // Where the method, the MoveNext of an async one, is suspended (pdb/await_points.h); empty if nobody says.
  precompiled::Bytes async_steps(uint32_t method) const;
  // The row of the method that this one, the MoveNext of an async method or an iterator, was made of; 0:
  // none.
  uint32_t kickoff_method(uint32_t method) const;
  // SourceLink's JSON (pdb/source_link.h); empty if there is none.
  precompiled::Bytes source_link() const;

 private:
  PortablePdb(const precompiled::Metadata& tables, precompiled::Bytes bytes)
      : tables_(tables), bytes_(bytes) {}
  precompiled::Bytes points_of(uint32_t method) const;
  std::string name_of(precompiled::Bytes blob) const;
  precompiled::Bytes custom_information(uint32_t parent, const std::array<uint8_t, 16>& kind) const;

  precompiled::Metadata tables_;
  precompiled::Bytes bytes_;
  PdbId id_{};
};

}  // namespace walkabout::pdb
