#include "symbols/find/folder_source.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/system_error.h"
#include "pdb/portable_pdb.h"
#include "precompiled/metadata_tables.h"
#include "precompiled/pe_layout.h"
#include "symbols/elf/build_id.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/whole_file.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostManagedFile = 512 << 20;

// A debug file keeps the library's section headers, but not its code.
bool has_code(const ElfFile& file) {
  bool code = false;
  file.for_each_section([&](const Section& s) {
    code |= (s.header.sh_flags & SHF_EXECINSTR) != 0 && s.header.sh_type != SHT_NOBITS;
  });
  return code;
}

base::Fd open_file(const std::string& path) {
  return base::Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

base::Result<std::optional<Offer>> first_of(const std::map<std::string, std::vector<std::string>>& known,
                                            const std::string& id) {
  const auto found = known.find(id);
  if (found == known.end()) return std::optional<Offer>();
  const std::string& path = found->second.front();
  base::Fd file = open_file(path);
  if (!file.valid()) return base::system_error(path);
  return std::optional<Offer>(Offer{std::move(file), path});
}

}  // namespace

// A file that cannot be read or is no ELF file is nobody's.
void FolderSource::index() {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder_, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    if (entry->is_directory(gone) && entry->path().filename() == ".build-id") {
      entry.disable_recursion_pending();
    }
    if (!entry->is_regular_file(gone)) continue;
    const std::string path = entry->path().string();
    const base::Result<ElfFile> file = ElfFile::open(path);
    const std::string id = file.ok() ? file->build_id() : std::string();
    if (id.empty()) continue;
    if (file->section_of_type(SHT_SYMTAB).scn != nullptr) debug_files_[id].push_back(path);
    if (has_code(*file)) images_[id].push_back(path);
  }
  for (auto* paths : {&debug_files_, &images_}) {
    for (auto& [id, list] : *paths) std::sort(list.begin(), list.end());  // the same answer every time
  }
}

void FolderSource::index_managed() {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder_, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    const std::string suffix = entry->path().extension().string();
    if ((suffix != ".pdb" && suffix != ".dll") || !entry->is_regular_file(gone)) continue;
    const std::string path = entry->path().string();
    const std::vector<uint8_t> bytes = read_whole(path, FileRoot(), kMostManagedFile);
    if (suffix == ".pdb") {
      if (const auto pdb = pdb::PortablePdb::read(bytes))
        pdbs_[std::string(pdb->id().begin(), pdb->id().end())].push_back(path);
      continue;
    }
    const auto image = precompiled::PeLayout::read(bytes);
    const auto metadata = image ? precompiled::Metadata::read(image->metadata()) : std::nullopt;
    const precompiled::Bytes version = metadata ? metadata->module_version() : precompiled::Bytes();
    if (!version.empty()) assemblies_[std::string(version.begin(), version.end())].push_back(path);
  }
  for (auto* paths : {&pdbs_, &assemblies_}) {
    for (auto& [id, list] : *paths) std::sort(list.begin(), list.end());
  }
}

base::Result<std::optional<Offer>> FolderSource::find(const Wanted& wanted, FileKind kind) {
  if (kind == FileKind::kPdb || kind == FileKind::kAssembly) {
    if (std::exchange(scan_managed_, false)) index_managed();
    return first_of(kind == FileKind::kPdb ? pdbs_ : assemblies_, wanted.build_id);
  }
  std::string path = folder_ + build_id_path(wanted.build_id) + (kind == FileKind::kDebug ? ".debug" : "");
  base::Fd file = open_file(path);
  if (file.valid()) return std::optional<Offer>(Offer{std::move(file), path});
  if (errno != ENOENT && errno != ENOTDIR) return base::system_error(path);
  if (scan_) index();
  scan_ = false;
  return first_of(kind == FileKind::kDebug ? debug_files_ : images_, wanted.build_id);
}

}  // namespace walkabout::symbols
