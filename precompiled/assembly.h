// An assembly's file: its image, its metadata, and where it lies. Immutable; any thread. The file's bytes
// must outlive it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "precompiled/metadata_tables.h"
#include "precompiled/pe_file.h"

namespace walkabout::precompiled {

struct Assembly {
  PeFile image;
  Metadata metadata;
  std::string path;

  // None when these bytes are no assembly.
  static std::optional<Assembly> read(Bytes file, std::string path) {
    std::optional<PeFile> image = PeFile::read(file);
    std::optional<Metadata> metadata = image ? Metadata::read(image->metadata()) : std::nullopt;
    if (!metadata) return std::nullopt;
    return Assembly{std::move(*image), *metadata, std::move(path)};
  }
};

}  // namespace walkabout::precompiled
