#include "unwind/pe/pe_image.h"

#include <algorithm>
#include <cstring>

namespace walkabout::unwind {
namespace {

constexpr uint16_t kMachineX64 = 0x8664;
constexpr uint16_t kMachineX64Linux = 0x8664 ^ 0x7b79;  // how ready-to-run images for Linux say it: 0xFD1D
constexpr uint16_t kMagicPe32Plus = 0x20b;
constexpr uint32_t kExecutableSection = 0x20000000;
constexpr uint16_t kMaxSections = 96;
constexpr uint32_t kMaxImage = 1u << 31;
constexpr int kExceptionDirectory = 3;
constexpr int kCliDirectory = 14;

struct FileHeader {
  uint16_t machine, sections;
  uint32_t time, symbols, symbol_count;
  uint16_t optional_size, characteristics;
};
static_assert(sizeof(FileHeader) == 20);

struct Directory {
  uint32_t rva, size;
};
struct OptionalHeader {
  uint16_t magic;
  uint8_t skipped[54];
  uint32_t image_size;
  uint8_t skipped2[48];
  uint32_t directory_count;
  Directory directories[16];
};
static_assert(sizeof(OptionalHeader) == 240);

struct Section {
  char name[8];
  uint32_t size, rva, raw_size, raw, skipped[3], characteristics;
};
static_assert(sizeof(Section) == 40);

struct CliHeader {
  uint32_t size;
  uint16_t major, minor;
  Directory metadata;
  uint32_t flags, entry;
  Directory resources, strong_name, code_manager, vtable_fixups, export_jumps, native_header;
};
static_assert(sizeof(CliHeader) == 72);

template <typename T>
bool load(const Memory& memory, uint64_t address, T* value) {
  return memory.load_bytes(address, value, sizeof *value);
}

void add_to_identity(const void* bytes, size_t size, uint64_t* identity) {
  for (const auto* at = static_cast<const uint8_t*>(bytes); size > 0; ++at, --size)
    *identity = (*identity ^ *at) * 0x100000001b3;
}

void read_sections(uint64_t table, uint16_t count, const Memory& memory, PeImage* image) {
  uint32_t begin = ~0u, end = 0;
  for (uint16_t i = 0; i < count; ++i) {
    Section s;
    if (!load(memory, table + i * sizeof s, &s)) return;
    add_to_identity(&s, sizeof s, &image->identity);
    if ((s.characteristics & kExecutableSection) == 0 || s.rva >= image->size) continue;
    begin = std::min(begin, s.rva);
    end = std::max(end, s.rva + std::min(std::max(s.size, s.raw_size), image->size - s.rva));
  }
  if (begin < end) image->code_begin = begin, image->code_end = end;
}

}  // namespace

std::optional<PeImage> read_pe_image(uint64_t base, const Memory& memory) {
  uint16_t dos = 0;
  uint32_t pe_at = 0, signature = 0;
  FileHeader file;
  OptionalHeader optional;
  if (!load(memory, base, &dos) || dos != 0x5a4d || !load(memory, base + 0x3c, &pe_at) || pe_at > 4096)
    return {};
  const uint64_t pe = base + pe_at;
  if (!load(memory, pe, &signature) || signature != 0x4550 || !load(memory, pe + 4, &file)) return {};
  if (file.machine != kMachineX64 && file.machine != kMachineX64Linux) return {};
  if (file.sections > kMaxSections || !load(memory, pe + 24, &optional) || optional.magic != kMagicPe32Plus)
    return {};
  PeImage image;
  image.base = base;
  image.size = optional.image_size;
  if (image.size > kMaxImage) return {};
  image.identity = 0xcbf29ce484222325;
  add_to_identity(&file.time, sizeof file.time, &image.identity);
  add_to_identity(&optional.image_size, sizeof optional.image_size, &image.identity);
  add_to_identity(optional.directories, sizeof optional.directories, &image.identity);
  read_sections(pe + 24 + file.optional_size, file.sections, memory, &image);
  const auto directory = [&](int i) {
    const Directory d = optional.directories[i];
    return static_cast<uint32_t>(i) < optional.directory_count && d.rva < image.size &&
                   d.size <= image.size - d.rva
               ? d
               : Directory{};
  };
  if (const Directory d = directory(kExceptionDirectory); d.size >= sizeof(RuntimeFunction)) {
    image.functions = d.rva;
    image.function_count = d.size / sizeof(RuntimeFunction);
  }
  if (const Directory d = directory(kCliDirectory); d.size >= sizeof(CliHeader)) {
    CliHeader cli;
    image.managed = true;
    image.ready_to_run = load(memory, base + d.rva, &cli) && cli.native_header.size != 0;
  }
  return image;
}

}  // namespace walkabout::unwind
