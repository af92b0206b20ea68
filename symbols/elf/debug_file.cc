#include "symbols/elf/debug_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <vector>

#include "symbols/elf/build_id.h"

namespace walkabout::symbols {
namespace {

const std::string kDebugRoot = kDebugFolder;

std::vector<std::string> candidates(const std::string& id, const DebugLink& link, const std::string& path) {
  std::vector<std::string> paths;
  if (id.size() > 1) paths.push_back(kDebugRoot + build_id_path(id) + ".debug");
  const size_t slash = path.rfind('/');
  if (link.file.empty() || slash == std::string::npos) return paths;
  const std::string folder = path.substr(0, slash);
  paths.push_back(folder + "/" + link.file);
  paths.push_back(folder + "/.debug/" + link.file);
  paths.push_back(kDebugRoot + folder + "/" + link.file);
  return paths;
}

std::optional<uint32_t> checksum(const std::string& path, const FileRoot& root) {
  const base::Fd fd = root.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (!fd.valid()) return std::nullopt;
  std::vector<unsigned char> buffer(256 * 1024);
  uLong crc = crc32(0, nullptr, 0);
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0) return std::nullopt;
    if (got == 0) return static_cast<uint32_t>(crc);
    crc = crc32(crc, buffer.data(), static_cast<uInt>(got));
  }
}

}  // namespace

bool has_symbol_table(const ElfFile& file) { return file.section_of_type(SHT_SYMTAB).scn != nullptr; }

std::optional<DebugFile> find_debug_file(const ElfFile& file, const std::string& path, const FileRoot& root,
                                         bool (*wanted)(const ElfFile&)) {
  const std::string id = file.build_id();
  const DebugLink link = file.debug_link();
  for (const std::string& place : candidates(id, link, path)) {
    base::Result<ElfFile> debug = ElfFile::open(place, root);
    if (!debug.ok() || !wanted(*debug)) continue;
    const bool same = id.empty() ? checksum(place, root) == link.crc : debug->build_id() == id;
    if (same) return DebugFile{std::move(*debug), place};
  }
  return std::nullopt;
}

}  // namespace walkabout::symbols
