#include "symbols/dwarf/debug_info.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "symbols/elf/build_id.h"
#include "symbols/elf/debug_file.h"

namespace walkabout::symbols {
namespace {

struct SharedLink {
  std::string path, build_id;
};

SharedLink shared_link(const ElfFile& file) {
  const std::string_view bytes = ElfFile::bytes(file.section(".gnu_debugaltlink"));
  const size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return {};
  return {std::string(bytes.substr(0, end)), std::string(bytes.substr(end + 1))};
}

// A file may name any path: only what debug packages have is looked at, and what lies beside it.
std::vector<std::string> places_of(const SharedLink& link, const std::string& place) {
  std::vector<std::string> places;
  if (link.build_id.size() > 1) places.push_back(kDebugFolder + build_id_path(link.build_id) + ".debug");
  const std::filesystem::path folder = std::filesystem::path(place).parent_path();
  const std::filesystem::path named = (folder / link.path).lexically_normal();
  const bool in_packages = named.string().starts_with(std::string(kDebugFolder) + "/");
  if (in_packages || named.parent_path() == folder) places.push_back(named.string());
  return places;
}

// Hostile sections may say that they have no bytes in the file.
bool has_bytes(const ElfFile& file, const char* name) {
  const Section section = file.section(name);
  return section.scn != nullptr && section.header.sh_type != SHT_NOBITS && section.header.sh_size > 0;
}

}  // namespace

bool has_debug_info(const ElfFile& file) {
  return (has_bytes(file, ".debug_info") && has_bytes(file, ".debug_line")) ||
         (has_bytes(file, ".zdebug_info") && has_bytes(file, ".zdebug_line"));
}

DebugInfo debug_info_of(ElfFile file, std::string place, const FileRoot& root) {
  DebugInfo info{std::move(file), std::move(place), std::nullopt, false, root.is_own()};
  if (info.file.section(".gnu_debugaltlink").scn == nullptr) return info;
  const SharedLink link = shared_link(info.file);
  info.lacks_shared = true;
  for (const std::string& at : places_of(link, info.place)) {
    base::Result<ElfFile> shared = ElfFile::open(at, root);
    if (!shared.ok() || link.build_id.empty() || shared->build_id() != link.build_id) continue;
    info.shared = std::move(*shared);
    info.lacks_shared = false;
    break;
  }
  return info;
}

std::optional<DebugInfo> find_debug_info(const std::string& path, const std::string& build_id,
                                         const FileRoot& root) {
  if (!path.starts_with('/')) return std::nullopt;
  base::Result<ElfFile> file = ElfFile::open(path, root);
  const bool is_image = file.ok() && (build_id.empty() || file->build_id() == build_id);
  if (!is_image) return root.is_own() ? std::nullopt : find_debug_info(path, build_id, FileRoot());
  if (has_debug_info(*file)) return debug_info_of(std::move(*file), path, root);
  if (auto debug = find_debug_file(*file, path, root, has_debug_info))
    return debug_info_of(std::move(debug->file), debug->path, root);
  if (root.is_own()) return std::nullopt;
  auto outside = find_debug_file(*file, path, FileRoot(), has_debug_info);
  if (!outside) return std::nullopt;
  return debug_info_of(std::move(outside->file), outside->path, FileRoot());
}

}  // namespace walkabout::symbols
