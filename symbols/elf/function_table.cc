#include "symbols/elf/function_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>

namespace walkabout::symbols {
namespace {

struct Candidate {
  uint64_t begin = 0;
  uint64_t size = 0;
  uint64_t section_end = 0;
  const char* name = "";
  bool local = false;
  bool function = false;  // else an untyped label of assembly code
};

// By section number; empty ranges for those without code.
std::vector<CodeRange> code_sections(const ElfFile& file) {
  std::vector<CodeRange> sections;
  file.for_each_section([&](const Section& s) {
    const size_t index = elf_ndxscn(s.scn);
    if (index >= SHN_LORESERVE || (s.header.sh_flags & SHF_EXECINSTR) == 0) return;
    if (sections.size() <= index) sections.resize(index + 1);
    const uint64_t end = s.header.sh_addr + s.header.sh_size;
    if (end > s.header.sh_addr && end <= std::numeric_limits<uint32_t>::max()) {
      sections[index] = {s.header.sh_addr, end};
    }
  });
  return sections;
}

// What a person would call it: a sized, exported name, without underscores if there is the choice, a short
// one.
auto rank(const Candidate& c) {
  const size_t underscores = std::strspn(c.name, "_");
  return std::make_tuple(!c.function, c.size == 0, c.local, underscores, std::strlen(c.name));
}

std::vector<Candidate> read_candidates(const ElfFile& file, const Section& table) {
  std::vector<Candidate> found;
  Elf_Data* data = elf_getdata(table.scn, nullptr);
  if (data == nullptr || table.header.sh_entsize == 0) return found;
  const std::vector<CodeRange> sections = code_sections(file);
  const auto count = static_cast<int>(std::min<size_t>(data->d_size / table.header.sh_entsize, 1 << 26));
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) == nullptr) break;
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) continue;
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= sections.size()) continue;
    const CodeRange& code = sections[symbol.st_shndx];
    if (symbol.st_value < code.begin || symbol.st_value >= code.end) continue;
    Candidate c;
    c.begin = symbol.st_value;
    c.size = std::min<uint64_t>(symbol.st_size, code.end - symbol.st_value);
    c.section_end = code.end;
    c.name = file.string(table.header.sh_link, symbol.st_name);
    c.local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
    c.function = type != STT_NOTYPE;
    if (*c.name != '\0') found.push_back(c);
  }
  return found;
}

// Labels inside a function are not functions; a size of 0 reaches to the next name.
std::vector<Function> without_overlap(const std::vector<Candidate>& sorted) {
  std::vector<Function> functions;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const Candidate& c = sorted[i];
    if (!functions.empty()) {
      Function& last = functions.back();
      if (c.begin == last.begin) continue;
      if (c.begin < last.end) {
        if (!c.function || c.size == 0) continue;
        last.end = static_cast<uint32_t>(c.begin);
      }
    }
    uint64_t end = c.begin + c.size;
    if (c.size == 0) {
      size_t next = i + 1;
      while (next < sorted.size() && sorted[next].begin == c.begin) ++next;
      end = next < sorted.size() ? std::min(sorted[next].begin, c.section_end) : c.section_end;
    }
    functions.push_back({static_cast<uint32_t>(c.begin), static_cast<uint32_t>(end), c.name});
  }
  return functions;
}

}  // namespace

FunctionTable FunctionTable::read(const ElfFile& file, uint32_t type) {
  FunctionTable table;
  const Section section = file.section_of_type(type);
  if (section.scn == nullptr) return table;
  std::vector<Candidate> candidates = read_candidates(file, section);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return std::strcmp(a.name, b.name) < 0;
  });
  table.functions_ = without_overlap(candidates);
  return table;
}

size_t FunctionTable::index_above(uint32_t address) const {
  const auto after = std::upper_bound(functions_.begin(), functions_.end(), address,
                                      [](uint32_t a, const Function& f) { return a < f.begin; });
  return static_cast<size_t>(after - functions_.begin());
}

const Function* FunctionTable::below(uint32_t address) const {
  const size_t above = index_above(address);
  return above > 0 ? &functions_[above - 1] : nullptr;
}

const Function* FunctionTable::above(uint32_t address) const {
  const size_t above = index_above(address);
  return above < functions_.size() ? &functions_[above] : nullptr;
}

const Function* FunctionTable::at(uint32_t address) const {
  const Function* function = below(address);
  return function != nullptr && address < function->end ? function : nullptr;
}

}  // namespace walkabout::symbols
