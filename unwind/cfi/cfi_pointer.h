// Encoded pointers of .eh_frame and .eh_frame_hdr (the DW_EH_PE_* byte).
//
// Async-signal-safe. Source: LSB Core 5.0, section 10.5.1 "DWARF Exception Header Encoding".
#pragma once

#include <cstdint>

#include "unwind/rule/cfi_reader.h"

namespace walkabout::unwind {

inline constexpr uint8_t kPointerOmit = 0xff;
inline constexpr uint8_t kPointerAbsolute = 0x00;
inline constexpr uint8_t kPointerDataRelativeS4 = 0x3b;  // the encoding of every linker's .eh_frame_hdr table

// Reads one pointer. data_base: what "datarel" counts from (the .eh_frame_hdr's own address). False (and the
// reader has failed) for encodings that need memory outside the section (indirect) or a base nobody uses
// (textrel, funcrel).
bool read_pointer(CfiReader& reader, uint8_t encoding, uint64_t data_base, uint64_t* value);

// Skips one pointer, also an indirect one: its value is not wanted (personality routines).
bool skip_pointer(CfiReader& reader, uint8_t encoding);

// A length: the value format of an encoding without its base.
bool read_pointer_range(CfiReader& reader, uint8_t encoding, uint64_t* value);

// Bytes of a pointer of this encoding; 0 when they differ from value to value.
unsigned pointer_size(uint8_t encoding);

}  // namespace walkabout::unwind
