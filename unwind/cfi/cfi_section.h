// The .eh_frame of one image as it lies in memory, and how to find the entry (FDE) of one pc in it.
//
// Plain value over memory it does not own: the image must stay mapped. Everything here is pure, allocates
// nothing and takes no lock: async-signal-safe. The bytes are not trusted: whatever they say, nothing outside
// them is read. Sources: LSB Core 5.0, section 10.6 "Exception Frames"; DWARF 5, section 6.4 "Call Frame
// Information".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/rule/cfi_reader.h"

namespace walkabout::unwind {

enum class CfiStatus : uint8_t {
  kOk,
  kNoRule,     // no FDE covers the pc
  kMalformed,  // the section contradicts itself, or says something no x86-64 compiler says
};

inline constexpr size_t kMaxCodeSpans = 4;

struct CfiSection {
  MappedBytes frames;  // .eh_frame: from its first byte to the end of what may be read
  MappedBytes header;  // .eh_frame_hdr; empty if there is none (then lookups are linear)
  // Readable executable segments, ascending; for what has no FDE (cfi_plt.h).
  MappedBytes code[kMaxCodeSpans];
  uint8_t table_encoding = 0;  // of the header's sorted table
  uint32_t table_offset = 0;   // in header
  uint64_t table_count = 0;    // entries; 0: no table

  bool empty() const { return frames.size == 0; }
};

// Where the .eh_frame begins that the .eh_frame_hdr at `header` points to. False when the header is not one.
bool read_frames_address(const MappedBytes& header, uint64_t* address);

// The section that the .eh_frame_hdr at `header` points to. image: readable memory in which both lie; the
// header may reach beyond its true end. False when the header is not one.
bool open_cfi(const MappedBytes& header, const MappedBytes& image, CfiSection* section);

// A Common Information Entry.
struct Cie {
  uint64_t code_align = 1;
  int64_t data_align = 1;
  uint8_t return_column = 16;
  uint8_t pointer_encoding = 0;
  bool signal_frame = false;
  bool augmented = false;    // its FDEs carry augmentation data
  size_t offset = SIZE_MAX;  // of the CIE in frames; SIZE_MAX: none was read
  MappedBytes instructions;
};

// A Frame Description Entry: one function, usually. [begin, end) are pcs.
struct Fde {
  Cie cie;
  uint64_t begin = 0;
  uint64_t end = 0;
  MappedBytes instructions;
};

// Reads the FDE (and its CIE) that begins at `offset` in frames. *next, if wanted: the offset behind it.
// kNoRule: a CIE or the terminator stands there; at the terminator and at the section's end *next == offset.
// *fde may hold another FDE of this section: thousands share a CIE, which is not read again.
CfiStatus read_fde(const CfiSection& section, size_t offset, Fde* fde, size_t* next = nullptr);

// Entry `index` of the sorted table: *begin is the pc it says, *fde the FDE it points to. kMalformed when
// that is none, or begins elsewhere. REQUIRES: index < table_count.
CfiStatus read_table_entry(const CfiSection& section, uint64_t index, uint64_t* begin, Fde* fde);

// The FDE that covers pc: by binary search when the section has a table, else from front to back.
CfiStatus find_fde(const CfiSection& section, uint64_t pc, Fde* fde);

}  // namespace walkabout::unwind
