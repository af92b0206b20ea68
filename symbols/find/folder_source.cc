#include "symbols/find/folder_source.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/system_error.h"
#include "symbols/elf/build_id.h"
#include "symbols/elf/elf_file.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;

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

base::Result<std::optional<Offer>> FolderSource::find(const Wanted& wanted, FileKind kind) {
  std::string path = folder_ + build_id_path(wanted.build_id) + (kind == FileKind::kDebug ? ".debug" : "");
  base::Fd file = open_file(path);
  if (file.valid()) return std::optional<Offer>(Offer{std::move(file), path});
  if (errno != ENOENT && errno != ENOTDIR) return base::system_error(path);
  if (scan_) index();
  scan_ = false;
  const auto& known = kind == FileKind::kDebug ? debug_files_ : images_;
  const auto found = known.find(wanted.build_id);
  if (found == known.end()) return std::optional<Offer>();
  path = found->second.front();
  file = open_file(path);
  if (!file.valid()) return base::system_error(path);
  return std::optional<Offer>(Offer{std::move(file), path});
}

}  // namespace walkabout::symbols
