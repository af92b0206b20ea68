#include "precompiled/pe_file.h"

#include <algorithm>

#include "unwind/pe/pe_image.h"

namespace walkabout::precompiled {
namespace {

constexpr uint64_t kOptionalHeader = 24;  // behind the signature and the file header
constexpr uint64_t kDirectories = kOptionalHeader + 112;
constexpr int kCliDirectory = 14;
constexpr size_t kSectionSize = 40;
constexpr uint16_t kMostSections = 96;

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
  PeFile pe;
  pe.identity_ = unwind::identity_bytes(*image);
  pe.image_size_ = image->size;
  const uint64_t header = load<uint32_t>(file, 0x3c).value_or(0);
  const uint16_t sections = std::min(load<uint16_t>(file, header + 6).value_or(0), kMostSections);
  const uint64_t table = header + kOptionalHeader + load<uint16_t>(file, header + 20).value_or(0);
  for (uint64_t i = 0; i < sections; ++i) {
    const uint64_t section = table + i * kSectionSize;
    const uint32_t size = load<uint32_t>(file, section + 16).value_or(0);
    const uint32_t offset = load<uint32_t>(file, section + 20).value_or(0);
    pe.sections_.push_back({load<uint32_t>(file, section + 12).value_or(0), part(file, offset, size)});
  }
  const auto cli = load<uint32_t>(file, header + kDirectories + kCliDirectory * sizeof(Directory));
  const Bytes cli_header = pe.at(cli.value_or(0), 72);
  if (cli_header.empty()) return std::nullopt;
  pe.metadata_ = load<Directory>(cli_header, 8).value_or(Directory());
  pe.native_header_ = load<Directory>(cli_header, 64).value_or(Directory());
  return pe;
}

Bytes PeFile::at(uint32_t rva) const {
  for (const Section& section : sections_) {
    if (rva >= section.rva && rva - section.rva < section.bytes.size())
      return section.bytes.subspan(rva - section.rva);
  }
  return {};
}

}  // namespace walkabout::precompiled
