// What an image says of its PDB: which it is, where the compiler wrote it, or the PDB itself. Hostile bytes.
// Immutable; any thread; the image's bytes must outlive it. Source: docs/specs/PE-COFF.md of dotnet/runtime.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pdb/portable_pdb.h"
#include "precompiled/pe_layout.h"

namespace walkabout::pdb {

class DebugDirectory {
 public:
  explicit DebugDirectory(const precompiled::PeLayout& image);

  // Of its portable PDB; none: it has another kind, or none.
  const std::optional<PdbId>& pdb_id() const { return id_; }
  // "/src/app/obj/Release/app.pdb", as the compiler knew it.
  const std::string& pdb_path() const { return path_; }
  bool has_embedded_pdb() const { return !embedded_.empty(); }
  // The bytes of the PDB in the image; empty: there is none, or it is damaged. Decompresses it each time.
  std::vector<uint8_t> embedded_pdb() const;

 private:
  std::optional<PdbId> id_;
  std::string path_;
  precompiled::Bytes embedded_;
};

}  // namespace walkabout::pdb
