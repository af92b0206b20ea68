#include "symbols/dwarf/dwarf_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbols/dwarf/apart.h"
#include "symbols/dwarf/call_chains.h"
#include "symbols/dwarf/line_program.h"
#include "symbols/dwarf/lines_record.h"
#include "symbols/dwarf/split_file.h"

namespace walkabout::symbols {
namespace {

__attribute__((noreturn)) void end_without_memory() { ::_exit(kApartNoMemory); }

struct EndDwarf {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};
using OpenDwarf = std::unique_ptr<Dwarf, EndDwarf>;

OpenDwarf open_dwarf(Elf* elf) {
  OpenDwarf dwarf(elf == nullptr ? nullptr : dwarf_begin_elf(elf, DWARF_C_READ, nullptr));
  // libdw says so on stderr otherwise.
  if (dwarf != nullptr) dwarf_new_oom_handler(dwarf.get(), end_without_memory);
  return dwarf;
}

std::vector<CodeRange> code_of(Elf* elf) {
  std::vector<CodeRange> code;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || (header.sh_flags & SHF_EXECINSTR) == 0) continue;
    if (header.sh_size <= UINT64_MAX - header.sh_addr)
      code.push_back({header.sh_addr, header.sh_addr + header.sh_size});
  }
  return code;
}

// As libdw has read it: what was compressed it has unpacked.
std::string_view section_bytes(Elf* elf, const std::string& name) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* is = elf_strptr(elf, names, header.sh_name);
    if (is == nullptr || (name != is && ".z" + name.substr(1) != is)) continue;
    const Elf_Data* data = elf_rawdata(scn, nullptr);
    if (data != nullptr && data->d_buf != nullptr)
      return {static_cast<const char*>(data->d_buf), data->d_size};
  }
  return {};
}

// suffix: of a split unit's own file ".dwo".
LineSections line_sections(Elf* elf, const std::string& suffix) {
  return {section_bytes(elf, ".debug_line" + suffix), section_bytes(elf, ".debug_line_str" + suffix),
          section_bytes(elf, ".debug_str" + suffix)};
}

std::string text_of_unit(Dwarf_Die* unit, unsigned attribute) {
  Dwarf_Attribute found;
  const char* text = dwarf_formstring(dwarf_attr(unit, attribute, &found));
  return text == nullptr ? "" : text;
}

class Reader {
 public:
  Reader(Elf* file, Dwarf* dwarf, std::span<const uint32_t> offsets, const std::string& folder,
         const DwarfLimits& limits)
      : dwarf_(dwarf),
        code_(code_of(file)),
        sections_(line_sections(file, "")),
        offsets_(offsets),
        folder_(folder),
        steps_(limits.steps),
        record_(limits.record_bytes, limits.documents),
        found_(offsets.size()) {}

  DwarfLines run() {
    UnitMap map = units_of(dwarf_, code_, offsets_, steps_);
    for (Unit& unit : map.units) {
      if (!unit.hits.empty()) read(unit);
    }
    DwarfLines result;
    for (size_t i = 0; i < offsets_.size(); ++i) {
      Found& found = found_[i];
      if (!found.in_unit && map.damaged) lose(found, NativeLoss::kDamaged);
      if (found.is_something() && !record_.add(offsets_[i], found.call, found.document, found.line))
        lose(found, NativeLoss::kRecordFull);
      if (found.loss != NativeLoss::kCount) ++result.lost[static_cast<size_t>(found.loss)];
    }
    result.lines = record_.take();
    return result;
  }

 private:
  struct Found {
    uint64_t call = 0, document = 0, line = 0;
    bool in_unit = false;
    NativeLoss loss = NativeLoss::kCount;  // nothing is lost
    bool is_something() const { return call != 0 || line != 0; }
  };

  void lose(Found& found, NativeLoss why) const {
    if (found.loss == NativeLoss::kCount) found.loss = steps_.left == 0 ? NativeLoss::kUsedUp : why;
  }
  void lose(const Unit& unit, NativeLoss why) {
    for (const size_t hit : unit.hits) lose(found_[hit], why);
  }

  void read(Unit& unit) {
    for (const size_t hit : unit.hits) found_[hit].in_unit = true;
    if (steps_.left == 0) return lose(unit, NativeLoss::kUsedUp);
    const std::string folder = text_of_unit(&unit.die, DW_AT_comp_dir);
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0;
    std::optional<LineProgram> program;
    if (dwarf_formudata(dwarf_attr(&unit.die, DW_AT_stmt_list, &attribute), &at) == 0)
      program = LineProgram::read(sections_, at, folder);
    if (!program) return lose(unit, NativeLoss::kDamaged);
    std::vector<uint32_t> offsets;
    for (const size_t hit : unit.hits) offsets.push_back(offsets_[hit]);
    const bool was_full = record_.was_full();
    read_rows(unit, offsets, *program);
    read_calls(unit, offsets, *program, folder);
    if (!was_full && record_.was_full()) lose(unit, NativeLoss::kRecordFull);
  }

  void read_rows(const Unit& unit, const std::vector<uint32_t>& offsets, const LineProgram& program) {
    std::unordered_map<uint64_t, uint64_t> documents;  // by file
    const bool whole = program.run([&](const LineRow& row) {
      if (!steps_.take()) return false;
      auto at = std::lower_bound(offsets.begin(), offsets.end(), row.begin);
      if (at == offsets.end() || *at >= row.end || !is_code(row.sequence)) return true;
      const uint64_t line = row.line <= UINT32_MAX ? row.line : 0;
      const uint64_t document = line == 0 ? 0 : document_of(row.file, program, documents);
      for (; at != offsets.end() && *at < row.end && steps_.take(); ++at) {
        Found& found = found_[unit.hits[static_cast<size_t>(at - offsets.begin())]];
        found.document = document;
        found.line = document == 0 ? 0 : line;
      }
      return true;
    });
    if (!whole || steps_.left == 0) lose(unit, NativeLoss::kDamaged);
  }

  void read_calls(Unit& unit, const std::vector<uint32_t>& offsets, const LineProgram& program,
                  const std::string& folder) {
    Dwarf_Die tree = unit.die;
    std::optional<LineProgram> other;
    if (is_skeleton(&unit.die)) {
      Dwarf_Die split{};
      if (folder_.empty() || !may_open_split(&unit.die, folder_) ||
          dwarf_cu_info(unit.die.cu, nullptr, nullptr, nullptr, &split, nullptr, nullptr, nullptr) != 0 ||
          split.addr == nullptr)
        return lose(unit, NativeLoss::kLacksPart);
      tree = split;
      Elf* const other_file = dwarf_getelf(dwarf_cu_getdwarf(split.cu));
      other = LineProgram::read(line_sections(other_file, ".dwo"), 0, folder);
    }
    const LineProgram& files = other ? *other : program;
    std::unordered_map<uint64_t, uint64_t> documents;
    std::vector<uint64_t> call(offsets.size());
    const auto number = [&](const FoundCall& found) {
      const bool has_line = found.has_file && found.line != 0 && found.line <= UINT32_MAX;
      const uint64_t document = has_line ? document_of(found.file, files, documents) : 0;
      return record_.call(found.parent, found.function.empty() ? "[unnamed]" : found.function, document,
                          document == 0 ? 0 : found.line);
    };
    if (!find_calls(&tree, code_, offsets, steps_, number, call)) lose(unit, NativeLoss::kDamaged);
    for (size_t i = 0; i < call.size(); ++i) found_[unit.hits[i]].call = call[i];
  }

  uint64_t document_of(uint64_t file, const LineProgram& program,
                       std::unordered_map<uint64_t, uint64_t>& documents) {
    const auto [known, added] = documents.try_emplace(file, 0);
    if (added) known->second = record_.document(program.path(file), program.md5(file));
    return known->second;
  }

  bool is_code(uint64_t address) const {
    return std::any_of(code_.begin(), code_.end(), [address](const CodeRange& range) {
      return address >= range.begin && address < range.end;
    });
  }

  Dwarf* const dwarf_;
  const std::vector<CodeRange> code_;
  const LineSections sections_;
  const std::span<const uint32_t> offsets_;
  const std::string& folder_;
  Steps steps_;
  LinesRecord record_;
  std::vector<Found> found_;  // by offset
};

}  // namespace

DwarfLines read_dwarf_lines(Elf* file, Elf* shared, std::span<const uint32_t> offsets,
                            const std::string& folder, DwarfLimits limits) {
  const OpenDwarf alternate = open_dwarf(shared);
  const OpenDwarf dwarf = open_dwarf(file);
  if (dwarf == nullptr || (shared != nullptr && alternate == nullptr)) {
    DwarfLines nothing;
    nothing.lost[static_cast<size_t>(NativeLoss::kDamaged)] = offsets.size();
    return nothing;
  }
  if (alternate != nullptr) dwarf_setalt(dwarf.get(), alternate.get());
  return Reader(file, dwarf.get(), offsets, folder, limits).run();
}

}  // namespace walkabout::symbols
