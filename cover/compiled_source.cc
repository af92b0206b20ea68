#include "cover/compiled_source.h"

#include <fmt/format.h>

#include "base/sha.h"
#include "symbols/elf/file_root.h"
#include "symbols/elf/whole_file.h"

namespace walkabout::cover {
namespace {

constexpr uint64_t kMostText = 64 << 20;
constexpr char kSha1[] = "sha1:", kSha256[] = "sha256:";

std::string in_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

std::string checksum_of(const pdb::Document& document) {
  if (document.algorithm == pdb::HashAlgorithm::kUnknown || document.hash.empty()) return {};
  return (document.algorithm == pdb::HashAlgorithm::kSha1 ? kSha1 : kSha256) +
         in_hex({reinterpret_cast<const char*>(document.hash.data()), document.hash.size()});
}

SourceText read_source(const std::string& path, const std::string& checksum) {
  const std::vector<uint8_t> bytes = symbols::read_whole(path, symbols::FileRoot(), kMostText);
  SourceText source{{bytes.begin(), bytes.end()}, !bytes.empty(), false};
  if (!source.is_there) return source;
  if (checksum.starts_with(kSha1))
    source.is_another = checksum != kSha1 + in_hex(base::sha(base::ShaKind::k1, bytes));
  else if (checksum.starts_with(kSha256))
    source.is_another = checksum != kSha256 + in_hex(base::sha(base::ShaKind::k256, bytes));
  return source;
}

std::vector<std::string> changed_sources(const Coverage& coverage) {
  std::vector<std::string> changed;
  for (const auto& [name, module] : coverage.modules) {
    for (const auto& [path, file] : module.files) {
      if (!file.checksum.empty() && read_source(path, file.checksum).is_another) changed.push_back(path);
    }
  }
  return changed;
}

}  // namespace walkabout::cover
