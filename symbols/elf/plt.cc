#include "symbols/elf/plt.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace walkabout::symbols {
namespace {

using Slots = std::unordered_map<uint64_t, std::string>;

// The symbol table a relocation section refers to.
Section linked_section(const ElfFile& file, uint32_t index) {
  Section found;
  file.for_each_section([&](const Section& s) {
    if (elf_ndxscn(s.scn) == index) found = s;
  });
  return found;
}

void read_relocations(const ElfFile& file, const Section& section, Slots& slots) {
  const Section symbols = linked_section(file, section.header.sh_link);
  Elf_Data* table = symbols.scn != nullptr ? elf_getdata(symbols.scn, nullptr) : nullptr;
  if (table == nullptr) return;
  ElfFile::for_each_relocation(section, [&](const GElf_Rela& relocation) {
    const auto type = GELF_R_TYPE(relocation.r_info);
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) return;
    GElf_Sym symbol;
    const auto index = static_cast<int>(GELF_R_SYM(relocation.r_info) & std::numeric_limits<int>::max());
    if (gelf_getsym(table, index, &symbol) == nullptr) return;
    const char* name = file.string(symbols.header.sh_link, symbol.st_name);
    if (*name != '\0') slots[relocation.r_offset] = name;
  });
}

// ff 25 disp32: jmp *disp(%rip), behind endbr64 or a bnd prefix in some layouts.
bool jump_slot(std::string_view entry, uint64_t address, uint64_t* slot) {
  for (size_t i = 0; i + 6 <= entry.size() && i <= 6; ++i) {
    if (entry[i] != '\xff' || entry[i + 1] != '\x25') continue;
    int32_t displacement;
    std::memcpy(&displacement, entry.data() + i + 2, sizeof displacement);
    *slot = address + i + 6 + static_cast<uint64_t>(int64_t{displacement});
    return true;
  }
  return false;
}

void read_stubs(const Section& section, const Slots& slots, std::vector<PltEntry>& entries) {
  const uint64_t size = section.header.sh_entsize == 8 ? 8 : 16;
  const std::string_view code = ElfFile::bytes(section);
  for (uint64_t offset = 0; offset + size <= code.size(); offset += size) {
    const uint64_t address = section.header.sh_addr + offset;
    if (address > std::numeric_limits<uint32_t>::max() - size) return;
    uint64_t slot = 0;
    if (!jump_slot(code.substr(offset, size), address, &slot)) continue;
    const auto target = slots.find(slot);
    if (target == slots.end()) continue;
    entries.push_back(
        {static_cast<uint32_t>(address), static_cast<uint32_t>(address + size), target->second});
  }
}

}  // namespace

std::vector<PltEntry> read_plt(const ElfFile& file) {
  std::vector<PltEntry> entries;
  if (file.machine() != EM_X86_64) return entries;
  Slots slots;
  file.for_each_section([&](const Section& s) {
    if (s.header.sh_type == SHT_RELA) read_relocations(file, s, slots);
  });
  file.for_each_section([&](const Section& s) {
    if (s.name == ".plt" || s.name == ".plt.sec" || s.name == ".plt.got") read_stubs(s, slots, entries);
  });
  std::sort(entries.begin(), entries.end(),
            [](const PltEntry& a, const PltEntry& b) { return a.begin < b.begin; });
  return entries;
}

}  // namespace walkabout::symbols
