// What an unwinder needs to know of a loaded ELF image, read from its program headers in memory: where its
// code lies, its call frame information, its build id.
//
// Not for signal handlers (it probes memory page by page), any other thread. The caller keeps the image
// loaded meanwhile: call it inside dl_iterate_phdr, or hold a reference. What the headers say is checked: all
// that is read here, or through `cfi` later, lies in a readable segment, each page of call frame
// information was readable, and the first and the last byte of each code segment. Source: System V gABI,
// chapter 5 "Program Loading"; LSB Core 5.0, section 12.2 (PT_GNU_EH_FRAME); elf(5).
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/cfi/cfi_section.h"
#include "unwind/machine/memory.h"

namespace walkabout::unwind {

inline constexpr size_t kMaxBuildId = 64;

// As dl_phdr_info gives it.
struct LoadedElf {
  uint64_t bias = 0;  // what is added to addresses in the file
  std::span<const Elf64_Phdr> headers;
};

struct CodeSegment {
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct ElfImage {
  uint64_t bias = 0;
  uint64_t begin = 0;  // of all segments
  uint64_t end = 0;
  CodeSegment code[kMaxCodeSpans];  // executable segments, ascending
  size_t code_count = 0;
  CfiSection cfi;  // empty() if the image has none, or none that can be read
  uint8_t build_id[kMaxBuildId] = {};
  size_t build_id_size = 0;  // 0 if it has none
};

// memory: reads of this process that cannot fault. False when the headers make no loaded image with code.
bool read_elf_image(const LoadedElf& loaded, const Memory& memory, ElfImage* image);

}  // namespace walkabout::unwind
