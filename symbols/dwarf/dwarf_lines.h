// What DWARF says of the addresses that samples hit, as the record that a recording holds. The DWARF is
// hostile; libdw may be ended by it, or take as long as it wants: whoever calls this does so in a process of
// its own (symbols/dwarf/apart.h). No state, one thread a call.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "symbols/dwarf/line_loss.h"
#include "symbols/dwarf/unit_map.h"
#include "wire/native_line_records.h"

namespace walkabout::symbols {

struct DwarfLimits {
  size_t record_bytes = 15 << 20;
  size_t documents = 20'000;
  Steps steps;
};

struct DwarfLines {
  wire::NativeLines lines;  // without module and source
  NativeLosses lost{};
};

// file: of the image, or its debug file; shared: of .gnu_debugaltlink, or null. offsets: the file's own
// addresses, sorted, without doubles. folder: where the file lies, of files of our own; units that are in
// files of their own are looked for by it (symbols/dwarf/split_file.h). Empty: they are left out.
DwarfLines read_dwarf_lines(Elf* file, Elf* shared, std::span<const uint32_t> offsets,
                            const std::string& folder, DwarfLimits limits = {});

}  // namespace walkabout::symbols
