// A PE image with code for x64 as its file has it: bytes by RVA, its metadata and where its ready-to-run
// header is. Hostile bytes: what is not there is empty.
//
// Immutable; any thread. Nothing is copied: the bytes must outlive this. Sources: the PE/COFF specification;
// ECMA-335 II.25.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "precompiled/bytes.h"
#include "precompiled/pe_layout.h"

namespace walkabout::precompiled {

class PeFile {
 public:
  // None when this is no PE32+ image for x64 with a CLI header.
  static std::optional<PeFile> read(Bytes file);

  // As a recording has it of a mapped image (unwind/pe/pe_image.h).
  const std::string& identity() const { return identity_; }
  uint32_t image_size() const { return image_size_; }

  // From this RVA to the end of its section; empty where the file has nothing.
  Bytes at(uint32_t rva) const { return layout_.at(rva); }
  Bytes at(uint32_t rva, uint32_t size) const { return part(at(rva), 0, size); }
  Bytes metadata() const { return layout_.metadata(); }
  // Empty if there is none.
  Bytes native_header() const { return layout_.native_header(); }

 private:
  explicit PeFile(PeLayout layout) : layout_(std::move(layout)) {}

  std::string identity_;
  uint32_t image_size_ = 0;
  PeLayout layout_;
};

}  // namespace walkabout::precompiled
