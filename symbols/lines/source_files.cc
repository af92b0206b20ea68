#include "symbols/lines/source_files.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/md5.h"
#include "base/sha.h"
#include "symbols/elf/whole_file.h"

namespace walkabout::symbols {
namespace {

constexpr uint64_t kMostSourceFile = 64 << 20;

enum class Fit { kYes, kNo, kUnknown };

Fit fit(std::span<const uint8_t> bytes, wire::HashKind kind, const std::string& hash) {
  if (kind == wire::HashKind::kUnknown || hash.empty()) return Fit::kUnknown;
  if (kind == wire::HashKind::kMd5) return base::md5(bytes) == hash ? Fit::kYes : Fit::kNo;
  const base::ShaKind sha = kind == wire::HashKind::kSha1 ? base::ShaKind::k1 : base::ShaKind::k256;
  return base::sha(sha, bytes) == hash ? Fit::kYes : Fit::kNo;
}

// "/_/app/Program.cs" below "there": "there/_/app/Program.cs", "there/app/Program.cs", "there/Program.cs".
std::vector<std::string> places_below(const std::string& folder, std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  std::vector<std::string> places;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    if (part == "..")
      places.clear();  // not out of the folder
    else if (!part.empty() && part != "." && part.find(':') == std::string::npos)
      places.push_back(folder + "/" + path.substr(at));
    at = end + 1;
  }
  return places;
}

std::string text_of(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

void SourceFiles::on_assembly(const wire::Assembly& record) { assemblies_[record.id] = record; }

void SourceFiles::on_source_lines(const wire::SourceLines& record) {
  wire::SourceLines& known = lines_[record.assembly] = record;
  known.methods.clear();
}

void SourceFiles::end_recording() {
  for (const auto& [id, lines] : lines_) {
    const auto of = assemblies_.find(id);
    if (of == assemblies_.end()) continue;
    for (const wire::Document& document : lines.documents)
      origins_[document.path].push_back({of->second, lines.source});
  }
  lines_.clear();
  assemblies_.clear();
}

const pdb::PortablePdb* SourceFiles::pdb_of(const Origin& origin) {
  std::unique_ptr<AssemblyPdb>& pdb = pdbs_[origin.assembly.version];
  if (pdb == nullptr && budget_.is_used_up()) return nullptr;
  if (pdb == nullptr) {
    pdb = std::make_unique<AssemblyPdb>(origin.assembly, budget_);
    pdb->look(FileRoot());
    if (pdb->pdb() == nullptr && pdb->wanted() && origin.pdb.starts_with('/'))
      pdb->take_pdb(read_whole(origin.pdb, FileRoot(), AssemblyPdb::kMostFile), origin.pdb);
  }
  return pdb->pdb();
}

// The PDB is the one of the build, so its text is as well; where it has a checksum that is compared all the
// same.
std::string SourceFiles::embedded(const std::string& path, wire::HashKind kind, const std::string& hash) {
  const auto known = origins_.find(path);
  if (known == origins_.end()) return {};
  for (const Origin& origin : known->second) {
    const pdb::PortablePdb* pdb = pdb_of(origin);
    for (uint32_t row = 1; pdb != nullptr && row <= pdb->documents(); ++row) {
      const std::optional<pdb::Document> document = pdb->document(row);
      if (!document || document->path != path) continue;
      const std::vector<uint8_t> bytes = pdb->embedded_source(row);
      if (!bytes.empty() && fit(bytes, kind, hash) != Fit::kNo) return text_of(bytes);
    }
  }
  return {};
}

FoundSource SourceFiles::find(const std::string& path, wire::HashKind kind, const std::string& hash) {
  std::vector<std::string> places;
  if (path.starts_with('/')) places.push_back(path);
  for (const std::string& folder : folders_) {
    const std::vector<std::string> below = places_below(folder, path);
    places.insert(places.end(), below.begin(), below.end());
  }
  bool differs = false, unknown = false;
  for (const std::string& place : places) {
    const std::vector<uint8_t> bytes = read_whole(place, FileRoot(), kMostSourceFile);
    if (bytes.empty()) continue;
    const Fit fits = fit(bytes, kind, hash);
    if (fits == Fit::kYes) return {text_of(bytes), ""};
    differs = differs || fits == Fit::kNo;
    unknown = unknown || fits == Fit::kUnknown;
  }
  std::string text = embedded(path, kind, hash);
  if (!text.empty()) return {std::move(text), ""};
  if (differs) return {"", "the file differs from the one that was compiled"};
  if (unknown) return {"", "neither PDB nor DWARF has a checksum of it that the file could be compared with"};
  return {"", "it is neither on this machine nor in its PDB"};
}

}  // namespace walkabout::symbols
