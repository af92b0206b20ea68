// Reads the headers of a PE image as it is mapped: where its code lies and its exception directory. Hardened:
// what the headers say is checked, all reads go through the guard. Source: the PE/COFF specification;
// ECMA-335 II.25; src/coreclr/inc/readytorun.h for the ready-to-run header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "unwind/machine/memory.h"
#include "unwind/pe/pe_unwind.h"

namespace walkabout::unwind {

struct PeImage {
  uint64_t base = 0;
  uint32_t size = 0;        // of the image in memory
  uint32_t code_begin = 0;  // RVAs of the executable sections, first to last
  uint32_t code_end = 0;
  uint32_t functions = 0;  // RVA of the exception directory; 0 if there is none
  uint32_t function_count = 0;
  bool managed = false;       // has a CLI header
  bool ready_to_run = false;  // has a ready-to-run header (own or as a component of a composite)
  // Of what its headers say of it: its time stamp (of a reproducible build: a hash of its content), its size,
  // where its directories and sections lie. Of the file the same. FNV-1a, 64 bits; recording/format.md.
  uint64_t identity = 0;
};

// None when no PE32+ image for x64 is mapped at `base`.
std::optional<PeImage> read_pe_image(uint64_t base, const Memory& memory);

// The identity as a recording has it (Module.build_id): eight bytes, little-endian.
inline std::string identity_bytes(const PeImage& image) {
  return {reinterpret_cast<const char*>(&image.identity), sizeof image.identity};
}

}  // namespace walkabout::unwind
