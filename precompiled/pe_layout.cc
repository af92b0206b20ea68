#include "precompiled/pe_layout.h"

#include <algorithm>

namespace walkabout::precompiled {
namespace {

constexpr uint16_t kDosSignature = 0x5a4d;
constexpr uint32_t kPeSignature = 0x4550;
constexpr uint16_t kMagic32 = 0x10b, kMagic64 = 0x20b;
constexpr uint64_t kOptionalHeader = 24;                       // behind the signature and the file header
constexpr uint64_t kDirectories32 = 96, kDirectories64 = 112;  // in the optional header
constexpr uint32_t kMostDirectories = 16;
constexpr size_t kSectionSize = 40;
constexpr uint16_t kMostSections = 96;
constexpr uint64_t kCliHeaderSize = 72;

}  // namespace

std::optional<PeLayout> PeLayout::read(Bytes file) {
  const uint64_t header = load<uint32_t>(file, 0x3c).value_or(0);
  if (load<uint16_t>(file, 0) != kDosSignature || load<uint32_t>(file, header) != kPeSignature)
    return std::nullopt;
  const uint64_t optional = header + kOptionalHeader;
  const auto magic = load<uint16_t>(file, optional);
  if (magic != kMagic32 && magic != kMagic64) return std::nullopt;
  PeLayout layout;
  const uint64_t directories = optional + (magic == kMagic32 ? kDirectories32 : kDirectories64);
  const uint32_t count = std::min(load<uint32_t>(file, directories - 4).value_or(0), kMostDirectories);
  layout.directories_ = part(file, directories, count * sizeof(Directory));
  const uint16_t sections = std::min(load<uint16_t>(file, header + 6).value_or(0), kMostSections);
  const uint64_t table = optional + load<uint16_t>(file, header + 20).value_or(0);
  for (uint64_t i = 0; i < sections; ++i) {
    const uint64_t section = table + i * kSectionSize;
    const uint32_t size = load<uint32_t>(file, section + 16).value_or(0);
    const uint32_t offset = load<uint32_t>(file, section + 20).value_or(0);
    layout.sections_.push_back({load<uint32_t>(file, section + 12).value_or(0), part(file, offset, size)});
  }
  return layout;
}

Bytes PeLayout::at(uint32_t rva) const {
  for (const Section& section : sections_) {
    if (rva >= section.rva && rva - section.rva < section.bytes.size())
      return section.bytes.subspan(rva - section.rva);
  }
  return {};
}

Bytes PeLayout::directory(Which which) const {
  return at(
      load<Directory>(directories_, static_cast<uint64_t>(which) * sizeof(Directory)).value_or(Directory()));
}

PeLayout::Directory PeLayout::cli_directory(uint64_t offset) const {
  const Bytes cli = part(directory(Which::kCli), 0, kCliHeaderSize);
  return load<Directory>(cli, offset).value_or(Directory());
}

}  // namespace walkabout::precompiled
