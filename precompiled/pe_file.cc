#include "precompiled/pe_file.h"

#include "unwind/pe/pe_image.h"

namespace walkabout::precompiled {
namespace {

unwind::Memory memory_of(Bytes file) {
  unwind::Memory memory;
  memory.lo = reinterpret_cast<uint64_t>(file.data());
  memory.hi = memory.lo + file.size();
  return memory;
}

}  // namespace

std::optional<PeFile> PeFile::read(Bytes file) {
  // The headers of a file are those of the image. What this says of places in it is not: they lie elsewhere.
  const auto image = unwind::read_pe_image(reinterpret_cast<uint64_t>(file.data()), memory_of(file));
  if (!image || !image->managed) return std::nullopt;
  std::optional<PeLayout> layout = PeLayout::read(file);
  if (!layout || layout->directory(PeLayout::Which::kCli).empty()) return std::nullopt;
  PeFile pe(std::move(*layout));
  pe.identity_ = unwind::identity_bytes(*image);
  pe.image_size_ = image->size;
  return pe;
}

}  // namespace walkabout::precompiled
