#include "symbols/debug_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <vector>

namespace walkabout::symbols {
namespace {

constexpr const char* kDebugRoot = "/usr/lib/debug";

std::string hex(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::vector<std::string> candidates(const std::string& id, const DebugLink& link, const std::string& path) {
  std::vector<std::string> paths;
  if (id.size() > 1) {
    const std::string text = hex(id);
    paths.push_back(std::string(kDebugRoot) + "/.build-id/" + text.substr(0, 2) + "/" + text.substr(2) +
                    ".debug");
  }
  const size_t slash = path.rfind('/');
  if (link.file.empty() || slash == std::string::npos) return paths;
  const std::string folder = path.substr(0, slash);
  paths.push_back(folder + "/" + link.file);
  paths.push_back(folder + "/.debug/" + link.file);
  paths.push_back(kDebugRoot + folder + "/" + link.file);
  return paths;
}

std::optional<uint32_t> checksum(const std::string& path) {
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
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

std::optional<DebugFile> find_debug_file(const ElfFile& file, const std::string& path,
                                         const std::string& root) {
  const std::string id = file.build_id();
  const DebugLink link = file.debug_link();
  for (const std::string& candidate : candidates(id, link, path)) {
    const std::string place = root + candidate;
    base::Result<ElfFile> debug = ElfFile::open(place);
    if (!debug.ok() || debug->section_of_type(SHT_SYMTAB).scn == nullptr) continue;
    const bool same = id.empty() ? checksum(place) == link.crc : debug->build_id() == id;
    if (same) return DebugFile{std::move(*debug), place};
  }
  return std::nullopt;
}

}  // namespace walkabout::symbols
