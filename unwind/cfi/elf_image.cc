#include "unwind/cfi/elf_image.h"

#include <algorithm>
#include <cstring>

#include "base/page_size.h"

namespace walkabout::unwind {
namespace {

struct Range {
  uint64_t begin = 0;
  uint64_t size = 0;
};

// In memory; empty when it wraps around.
Range in_memory(uint64_t bias, uint64_t address, uint64_t size) {
  const uint64_t begin = bias + address;
  uint64_t end = 0;
  return __builtin_add_overflow(begin, size, &end) ? Range{} : Range{begin, size};
}

// The part of a segment that comes from the file: what lies behind it is zero.
Range file_part(const LoadedElf& loaded, const Elf64_Phdr& header) {
  return in_memory(loaded.bias, header.p_vaddr, std::min(header.p_filesz, header.p_memsz));
}

// The bytes from `from` to the end of the readable segment it lies in.
Range rest_of_segment(const LoadedElf& loaded, uint64_t from) {
  for (const Elf64_Phdr& header : loaded.headers) {
    const Range segment = file_part(loaded, header);
    if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0 || from - segment.begin >= segment.size)
      continue;
    return {from, segment.size - (from - segment.begin)};
  }
  return {};
}

bool readable(const Memory& memory, const Range& range) {
  uint8_t byte = 0;
  for (uint64_t at = range.begin; at < range.begin + range.size; at = (at | (base::kPageSize - 1)) + 1) {
    if (!memory.load_bytes(at, &byte, 1)) return false;
    if ((at | (base::kPageSize - 1)) == UINT64_MAX) break;
  }
  return range.size > 0;
}

// Of code: the loader maps a segment as a whole, and probing each page would load all of it.
bool readable_ends(const Memory& memory, const Range& range) {
  uint8_t byte = 0;
  return range.size > 0 && memory.load_bytes(range.begin, &byte, 1) &&
         memory.load_bytes(range.begin + range.size - 1, &byte, 1);
}

MappedBytes map(const Range& range) {
  return {reinterpret_cast<const uint8_t*>(range.begin), static_cast<size_t>(range.size), range.begin};
}

bool read_segments(const LoadedElf& loaded, ElfImage* image) {
  image->begin = UINT64_MAX;
  for (const Elf64_Phdr& header : loaded.headers) {
    const Range segment = in_memory(loaded.bias, header.p_vaddr, header.p_memsz);
    if (header.p_type != PT_LOAD || segment.size == 0) continue;
    image->begin = std::min(image->begin, segment.begin);
    image->end = std::max(image->end, segment.begin + segment.size);
    if ((header.p_flags & PF_X) == 0 || image->code_count == kMaxCodeSpans) continue;
    image->code[image->code_count++] = {segment.begin, segment.begin + segment.size};
  }
  std::sort(image->code, image->code + image->code_count,
            [](const CodeSegment& a, const CodeSegment& b) { return a.begin < b.begin; });
  return image->code_count > 0;
}

void read_cfi(const LoadedElf& loaded, const Memory& memory, const Elf64_Phdr& header, ElfImage* image) {
  const Range found = in_memory(loaded.bias, header.p_vaddr, header.p_memsz);
  const Range rest = rest_of_segment(loaded, found.begin);
  const Range table{found.begin, std::min(found.size, rest.size)};
  if (!readable(memory, table)) return;
  // .eh_frame may lie in another segment than its header: the pointer in it tells.
  uint64_t address = 0;
  if (!read_frames_address(map(table), &address)) return;
  const Range frames = rest_of_segment(loaded, address);
  if (!readable(memory, frames) || !open_cfi(map(table), map(frames), &image->cfi)) return;
  size_t count = 0;
  for (size_t i = 0; i < image->code_count; ++i) {
    const CodeSegment& code = image->code[i];
    const Range part = rest_of_segment(loaded, code.begin);
    if (readable_ends(memory, part)) image->cfi.code[count++] = map(part);  // PLT stubs are read off it
  }
}

// A note: three words, the name, padding, the descriptor, padding.
void read_build_id(const Memory& memory, const Range& notes, uint64_t align, ElfImage* image) {
  const auto padded = [align](uint64_t size) { return (size + align - 1) & ~(align - 1); };
  constexpr char kName[] = "GNU";
  for (uint64_t at = 0; notes.size - at >= sizeof(Elf64_Nhdr);) {
    Elf64_Nhdr note{};
    char name[sizeof kName] = {};
    if (!memory.load_bytes(notes.begin + at, &note, sizeof note)) return;
    const uint64_t name_at = at + sizeof note;
    const uint64_t descriptor_at = padded(name_at + note.n_namesz);
    const uint64_t next = padded(descriptor_at + note.n_descsz);
    if (descriptor_at + note.n_descsz > notes.size) return;
    const bool build_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof kName &&
                          memory.load_bytes(notes.begin + name_at, name, sizeof name) &&
                          std::memcmp(name, kName, sizeof kName) == 0;
    if (build_id && note.n_descsz <= kMaxBuildId &&
        memory.load_bytes(notes.begin + descriptor_at, image->build_id, note.n_descsz)) {
      image->build_id_size = note.n_descsz;
      return;
    }
    if (next > notes.size) return;
    at = next;
  }
}

}  // namespace

bool read_elf_image(const LoadedElf& loaded, const Memory& memory, ElfImage* image) {
  *image = ElfImage{};
  image->bias = loaded.bias;
  if (!read_segments(loaded, image)) return false;
  for (const Elf64_Phdr& header : loaded.headers) {
    if (header.p_type == PT_GNU_EH_FRAME && image->cfi.empty()) read_cfi(loaded, memory, header, image);
    if (header.p_type == PT_NOTE && image->build_id_size == 0) {
      const Range rest = rest_of_segment(loaded, loaded.bias + header.p_vaddr);
      const Range notes{rest.begin, std::min(rest.size, header.p_filesz)};
      read_build_id(memory, notes, header.p_align == 8 ? 8 : 4, image);
    }
  }
  return true;
}

}  // namespace walkabout::unwind
