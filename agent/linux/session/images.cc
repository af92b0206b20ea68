#include "agent/linux/session/images.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "agent/linux/handler/self_memory.h"
#include "agent/linux/proc_self.h"
#include "base/page_size.h"
#include "unwind/cfi/cfi_init.h"
#include "unwind/cfi/cfi_plt.h"
#include "unwind/cfi/elf_image.h"
#include "unwind/pe/pe_image.h"

namespace walkabout::agent {
namespace {

// Walks interpret a module's CFI this often before it is worth a table.
constexpr uint32_t kWorthCompiling = 16;
// A component of a composite image asks for a search of the mappings; the first few at once, for its code
// runs next.
constexpr int kEagerScans = 3;

unwind::Memory own_memory() {
  unwind::Memory memory;
  memory.slow = read_self;
  return memory;
}

bool file_is(const std::string& path, const char* name) {
  const size_t slash = path.rfind('/');
  return path.compare(slash == std::string::npos ? 0 : slash + 1, std::string::npos, name) == 0;
}

std::string executable_path() {
  char buffer[4096];
  const ssize_t n = ::readlink("/proc/self/exe", buffer, sizeof buffer);
  return n > 0 ? std::string(buffer, static_cast<size_t>(n)) : std::string();
}

struct Loaded {
  unwind::ElfImage image;
  std::string path;
  std::string name;  // the loader's
  bool vdso = false;
};

struct Listing {
  unsigned long long adds = 0, subs = 0;
  const std::unordered_map<uint64_t, Images::Native>* known = nullptr;
  std::unordered_set<uint64_t> present;
  std::vector<Loaded> fresh;
};

int read_counters(dl_phdr_info* info, size_t, void* data) {
  auto* listing = static_cast<Listing*>(data);
  listing->adds = info->dlpi_adds;
  listing->subs = info->dlpi_subs;
  return 1;
}

// Inside dl_iterate_phdr no module can be unloaded, so its headers can be read.
int list_module(dl_phdr_info* info, size_t, void* data) {
  auto* listing = static_cast<Listing*>(data);
  const auto known = listing->known->find(info->dlpi_addr);
  if (known != listing->known->end() && known->second.name == info->dlpi_name) {
    listing->present.insert(info->dlpi_addr);
    return 0;
  }
  Loaded loaded;
  const unwind::LoadedElf elf{info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
  if (!unwind::read_elf_image(elf, own_memory(), &loaded.image) || loaded.image.code_count == 0) return 0;
  loaded.path = loaded.name = info->dlpi_name;
  const uint64_t vdso = ::getauxval(AT_SYSINFO_EHDR);
  loaded.vdso = vdso >= loaded.image.begin && vdso < loaded.image.end;
  if (loaded.vdso)
    loaded.path = "[vdso]";
  else if (loaded.path.empty())
    loaded.path = executable_path();
  listing->fresh.push_back(std::move(loaded));
  return 0;
}

struct Compiling {
  uint64_t bias;
  const std::string* name;
  const unwind::CfiSection* cfi;
  std::optional<base::Result<unwind::CfiTable>> table;  // empty: the library is gone
};

// Like list_module: the library cannot be unmapped meanwhile.
int compile_module(dl_phdr_info* info, size_t, void* data) {
  auto* compiling = static_cast<Compiling*>(data);
  if (info->dlpi_addr != compiling->bias || *compiling->name != info->dlpi_name) return 0;
  compiling->table = unwind::CfiTable::compile(*compiling->cfi);
  return 1;
}

}  // namespace

void Images::refresh_native() {
  const base::Lock lock(native_mutex_);
  Listing listing;
  listing.known = &native_;
  ::dl_iterate_phdr(read_counters, &listing);
  if (listing.adds == loader_adds_ && listing.subs == loader_subs_) return;
  ::dl_iterate_phdr(list_module, &listing);
  loader_adds_ = listing.adds;
  loader_subs_ = listing.subs;
  std::erase_if(native_, [&](const auto& entry) {
    if (listing.present.count(entry.first) != 0) return false;
    registry_.remove_image(entry.second.image);
    return true;
  });
  for (const Loaded& loaded : listing.fresh) {
    const unwind::ElfImage& elf = loaded.image;
    wire::Module module;
    module.kind = loaded.vdso ? wire::ModuleKind::kVdso : wire::ModuleKind::kElf;
    module.path = loaded.path;
    module.build_id.assign(reinterpret_cast<const char*>(elf.build_id), elf.build_id_size);
    module.start = elf.begin;
    module.size = elf.end - elf.begin;
    module.bias = elf.bias;
    unwind::Image* added = registry_.add_image(module, [&](unwind::Image& image) {
      image.begin = elf.code[0].begin;
      image.end = elf.code[elf.code_count - 1].end;
      image.base = elf.bias;
      image.cfi = elf.cfi;
      image.jit_compiler = file_is(loaded.path, "libclrjit.so");
    });
    if (added->jit_compiler) knows_jit_compiler_.store(true, std::memory_order_relaxed);
    native_[elf.bias] = {added, loaded.name};
  }
}

void Images::compile_met() {
  const base::Lock lock(native_mutex_);
  for (auto& [bias, native] : native_) {
    unwind::Image* const image = native.image;
    if (image->table.load(std::memory_order_relaxed) != nullptr) continue;
    if (image->interpreted.load(std::memory_order_relaxed) < kWorthCompiling) continue;
    Compiling compiling{bias, &native.name, &image->cfi, {}};
    ::dl_iterate_phdr(compile_module, &compiling);
    if (!compiling.table) continue;
    base::Result<unwind::CfiTable>& table = *compiling.table;
    if (!table.ok()) {
      image->interpreted.store(0, std::memory_order_relaxed);  // stays interpreted; tried again much later
      continue;
    }
    image->own_table = std::make_unique<const unwind::CfiTable>(std::move(*table));
    image->table.store(image->own_table.get(), std::memory_order_release);  // partner: walker's step_native
    return;
  }
}

void Images::module_loaded(clr::ModuleID module, uint64_t base, bool flat, const std::string& path) {
  if (base == 0) return;
  const base::Lock lock(mutex_);
  const auto image = unwind::read_pe_image(base, own_memory());
  if (!flat && image && image->function_count != 0) {
    add_pe(base, path, module);
    return;
  }
  if (flat || !image || !image->ready_to_run) {
    // Flat images carry no code of their own, but may be components of a composite one; their headers do not
    // say it at the places a mapped image has them. Looking is cheap, so look once in a while.
    pe_wanted_ = true;
    return;
  }
  pe_wanted_ = true;
  if (eager_scans_++ < kEagerScans) find_unannounced_pe();
}

void Images::module_unloaded(clr::ModuleID module) {
  const base::Lock lock(mutex_);
  const auto at = precompiled_.find(module);
  if (at == precompiled_.end()) return;
  unwind::Image* const image = at->second;
  pe_bases_.erase(image->base);
  std::erase_if(precompiled_, [image](const auto& entry) { return entry.second == image; });
  registry_.remove_image(image);
}

void Images::add_pe(uint64_t base, const std::string& path, clr::ModuleID module) {
  if (const auto known = pe_bases_.find(base); known != pe_bases_.end()) {
    if (module != 0) precompiled_[module] = known->second;  // found before it was announced
    return;
  }
  const auto pe = unwind::read_pe_image(base, own_memory());
  if (!pe || pe->function_count == 0 || pe->code_begin == pe->code_end) return;
  wire::Module about;
  about.kind = wire::ModuleKind::kReadyToRun;
  about.path = path;
  about.build_id = unwind::identity_bytes(*pe);
  about.start = base;
  about.size = pe->size;
  about.bias = base;
  unwind::Image* added = registry_.add_image(about, [&](unwind::Image& image) {
    image.managed = true;
    image.begin = base + pe->code_begin;
    image.end = base + pe->code_end;
    image.base = base;
    image.mapped = {reinterpret_cast<const uint8_t*>(base), pe->size};
    image.functions = {reinterpret_cast<const unwind::RuntimeFunction*>(base + pe->functions),
                       pe->function_count};
  });
  pe_bases_[base] = added;
  if (module != 0) precompiled_[module] = added;
}

bool Images::find_first_pe() {
  const base::Lock lock(mutex_);
  if (pe_bases_.empty()) find_unannounced_pe();
  return !pe_bases_.empty();
}

void Images::search_later() {
  const base::Lock lock(mutex_);
  eager_scans_ = kEagerScans;
}

void Images::find_wanted_pe() {
  const base::Lock lock(mutex_);
  if (pe_wanted_) find_unannounced_pe();
}

// Code that is mapped from a file the dynamic loader does not know, and begins with a PE header a few
// mappings below: a composite image.
void Images::find_unannounced_pe() {
  pe_wanted_ = false;
  std::vector<Mapping> maps;
  host_.call([&maps] { maps = mappings(); });
  for (size_t i = 0; i < maps.size(); ++i) {
    if (!maps[i].executable || maps[i].path.empty() || maps[i].path[0] != '/') continue;
    // Sections are mapped one by one into a reserved range, whose gaps are mappings without a path.
    for (size_t j = i + 1; j-- > 0 && (maps[j].path.empty() || maps[j].path == maps[i].path) && i - j < 8;) {
      if (maps[j].path.empty() || !maps[j].readable || pe_bases_.count(maps[j].begin) != 0) continue;
      const auto pe = unwind::read_pe_image(maps[j].begin, own_memory());
      if (!pe || pe->function_count == 0) continue;
      // The code section's own mapping may begin with the file's header again: only at the header's true
      // place does what it says of the code fit the mapping. (The code may begin in the middle of its first
      // page.)
      if (maps[i].begin != maps[j].begin + pe->code_begin / base::kPageSize * base::kPageSize) continue;
      add_pe(maps[j].begin, maps[j].path, 0);
      break;
    }
  }
}

namespace {

using FindObject = int (*)(void*, dl_find_object*);
const FindObject g_find_object = reinterpret_cast<FindObject>(::dlsym(RTLD_DEFAULT, "_dl_find_object"));

}  // namespace

bool find_new_module(uint64_t pc, unwind::CfiSection* cfi) {
  dl_find_object found;
  if (g_find_object == nullptr || g_find_object(reinterpret_cast<void*>(pc), &found) != 0) return false;
  const auto begin = reinterpret_cast<uint64_t>(found.dlfo_map_start);
  const auto end = reinterpret_cast<uint64_t>(found.dlfo_map_end);
  const auto header = reinterpret_cast<uint64_t>(found.dlfo_eh_frame);
  if (header < begin || header >= end) return false;
  const unwind::MappedBytes image{reinterpret_cast<const uint8_t*>(begin), static_cast<size_t>(end - begin),
                                  begin};
  if (!unwind::open_cfi(image.rest(header), image, cfi)) return false;
  // Were pc in a PLT stub without an FDE (libclrjit's), or in an initializer that dlopen runs, its code says
  // the rule. Not all that lies between the ends of an image can be read.
  const uint64_t page = pc & ~(base::kPageSize - 1), slot = pc & ~(unwind::kPltSlotSize - 1);
  const bool init = pc - page < unwind::kInitSize;
  const unwind::MappedBytes code =
      image.part(init ? page : slot, init ? unwind::kInitSize : unwind::kPltSlotSize);
  uint8_t probed[unwind::kInitSize];
  if (read_self(nullptr, code.address, probed, code.size)) cfi->code[0] = code;
  return true;
}

}  // namespace walkabout::agent
