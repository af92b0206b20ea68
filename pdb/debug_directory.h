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
  // Whether the PDB is the one that the compiler wrote, as far as the image has a hash of it: all that are of
  // a known kind must fit. Where there is none, the id alone says it.
  bool has_checksum_of(const PortablePdb& pdb) const;
  // The bytes of the PDB in the image; empty: there is none, or it is damaged. Decompresses it each time.
  std::vector<uint8_t> embedded_pdb() const;

 private:
  struct Checksum {
    std::string algorithm;  // "SHA256"
    precompiled::Bytes hash;
  };

  std::optional<PdbId> id_;
  std::vector<Checksum> checksums_;
  std::string path_;
  precompiled::Bytes embedded_;
};

}  // namespace walkabout::pdb
