#include "symbols/elf/elf_symbols.h"

#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#include "base/file_name.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/demangle.h"
#include "symbols/elf/function_starts.h"

namespace walkabout::symbols {
namespace {

bool same_image(const ElfFile& file, const std::string& build_id) {
  return build_id.empty() || file.build_id() == build_id;
}

wire::NativeSymbol exact(uint32_t begin, uint32_t end, const std::string& raw, const char* suffix) {
  wire::NativeSymbol symbol;
  symbol.begin = begin;
  symbol.end = end;
  symbol.name = readable_symbol(raw) + suffix;
  if (symbol.name != raw) symbol.raw_name = raw;
  return symbol;
}

std::string plus(const std::string& name, uint32_t distance) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "+0x%x", distance);
  return name + text.data();
}

}  // namespace

base::Result<ElfSymbols> ElfSymbols::open(const std::string& path, const std::string& build_id,
                                          const FileRoot& root) {
  base::Result<ElfFile> file = ElfFile::open(path, root);
  const bool wrong = file.ok() && !same_image(*file, build_id);
  if (file.ok() && !wrong) return load(std::move(*file), path, root);
  if (!root.is_own()) return open(path, build_id, FileRoot());
  if (!wrong) return file.status();
  return base::Status::error(path + ": another build than the one that ran (its build id differs)");
}

base::Result<ElfSymbols> ElfSymbols::open_vdso(const std::string& build_id) {
  const auto* base = reinterpret_cast<const char*>(getauxval(AT_SYSINFO_EHDR));
  if (base == nullptr) return base::Status::error("[vdso]: this process has none");
  // The kernel's own image, so its header can be believed; the section headers are its end.
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  const size_t size = header->e_shoff + size_t{header->e_shnum} * header->e_shentsize;
  base::Result<ElfFile> file = ElfFile::from_memory(std::string(base, size));
  if (!file.ok()) return file.status();
  if (!same_image(*file, build_id))
    return base::Status::error("[vdso]: another kernel than the one that ran");
  return load(std::move(*file), "[vdso]", FileRoot());
}

base::Result<ElfSymbols> ElfSymbols::load(ElfFile file, const std::string& path, const FileRoot& root) {
  ElfSymbols symbols = of_file(std::move(file), std::string(base::file_name(path)), path);
  if (!symbols.stripped_) return symbols;
  std::optional<DebugFile> debug = find_debug_file(symbols.file_, path, root);
  // Containers come without debug packages, but it may be the same distribution outside.
  if (!debug && !root.is_own()) debug = find_debug_file(symbols.file_, path, FileRoot());
  if (debug) symbols.use_debug_file(std::move(debug->file), debug->path);
  return symbols;
}

void ElfSymbols::use_debug_file(ElfFile debug_file, const std::string& source) {
  FunctionTable functions = FunctionTable::read(debug_file, SHT_SYMTAB);
  if (functions.empty()) return;
  functions_ = std::move(functions);
  runtime_ = {};
  debug_file_ = std::move(debug_file);
  source_ = source;
  stripped_ = false;
}

ElfSymbols ElfSymbols::of_file(ElfFile file, const std::string& name, const std::string& source) {
  ElfSymbols symbols(std::move(file), name);
  symbols.source_ = source;
  symbols.functions_ = FunctionTable::read(symbols.file_, SHT_SYMTAB);
  if (symbols.functions_.empty()) {
    symbols.stripped_ = true;
    symbols.functions_ = FunctionTable::read(symbols.file_, SHT_DYNSYM);
    symbols.runtime_ = RuntimeFunctions::read(symbols.file_);
  }
  symbols.plt_ = read_plt(symbols.file_);
  symbols.starts_ = read_function_starts(symbols.file_);
  symbols.file_.for_each_section([&](const Section& s) {
    if ((s.header.sh_flags & SHF_EXECINSTR) != 0) {
      symbols.code_.push_back({s.header.sh_addr, s.header.sh_addr + s.header.sh_size});
    }
  });
  return symbols;
}

const CodeRange* ElfSymbols::code_at(uint32_t offset) const {
  const auto range = std::find_if(code_.begin(), code_.end(),
                                  [&](const CodeRange& r) { return offset >= r.begin && offset < r.end; });
  return range != code_.end() ? &*range : nullptr;
}

const PltEntry* ElfSymbols::plt_at(uint32_t offset) const {
  const auto after = std::upper_bound(plt_.begin(), plt_.end(), offset,
                                      [](uint32_t a, const PltEntry& e) { return a < e.begin; });
  return after != plt_.begin() && offset < (after - 1)->end ? &*(after - 1) : nullptr;
}

std::optional<wire::NativeSymbol> ElfSymbols::find(uint32_t offset) const {
  const CodeRange* code = code_at(offset);
  if (code == nullptr) return std::nullopt;
  if (const Function* f = functions_.at(offset)) return exact(f->begin, f->end, f->name, "");
  if (const PltEntry* entry = plt_at(offset)) return exact(entry->begin, entry->end, entry->name, "@plt");
  const CodeRange range = unnamed_function(offset, *code);
  if (const std::string* name = runtime_.at(range.begin); name != nullptr)
    return exact(static_cast<uint32_t>(range.begin), static_cast<uint32_t>(range.end), *name, "");
  return approximate(offset, range);
}

// The function the unwind table knows at `offset`, as far as no other name reaches; else the offset alone.
CodeRange ElfSymbols::unnamed_function(uint32_t offset, const CodeRange& code) const {
  CodeRange range = code;
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  if (next == starts_.begin() || *(next - 1) < code.begin) return {offset, uint64_t{offset} + 1};
  range.begin = *(next - 1);
  if (next != starts_.end()) range.end = std::min<uint64_t>(range.end, *next);
  if (const Function* before = functions_.below(offset))
    range.begin = std::max<uint64_t>(range.begin, before->end);
  if (const Function* after = functions_.above(offset))
    range.end = std::min<uint64_t>(range.end, after->begin);
  return range;
}

wire::NativeSymbol ElfSymbols::approximate(uint32_t offset, const CodeRange& range) const {
  wire::NativeSymbol symbol;
  symbol.approximate = true;
  symbol.begin = static_cast<uint32_t>(range.begin);
  symbol.end = static_cast<uint32_t>(std::min<uint64_t>(range.end, std::numeric_limits<uint32_t>::max()));
  const Function* nearest = functions_.below(offset);
  symbol.name = nearest != nullptr ? plus(readable_symbol(nearest->name), symbol.begin - nearest->begin)
                                   : plus(file_name_, symbol.begin);
  return symbol;
}

}  // namespace walkabout::symbols
