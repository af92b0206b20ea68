// Where things lie in the file of a PE image: its sections and directories, of 32 bits or 64, for any
// processor. Hostile bytes: what is not there is empty.
//
// Immutable; any thread. Nothing is copied: the bytes must outlive this. Sources: the PE/COFF specification;
// ECMA-335 II.25.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "precompiled/bytes.h"

namespace walkabout::precompiled {

class PeLayout {
 public:
  struct Directory {
    uint32_t rva = 0, size = 0;
  };
  enum class Which : uint8_t { kDebug = 6, kCli = 14 };

  static std::optional<PeLayout> read(Bytes file);

  // From this RVA to the end of its section; empty where the file has nothing.
  Bytes at(uint32_t rva) const;
  // All of it, or nothing.
  Bytes at(Directory directory) const { return part(at(directory.rva), 0, directory.size); }
  Bytes directory(Which which) const;
  // Of an image with a CLI header; else empty.
  Bytes metadata() const { return at(cli_directory(8)); }
  Bytes native_header() const { return at(cli_directory(64)); }

 private:
  struct Section {
    uint32_t rva = 0;
    Bytes bytes;
  };
  Directory cli_directory(uint64_t offset) const;

  std::vector<Section> sections_;
  Bytes directories_;
};

}  // namespace walkabout::precompiled
