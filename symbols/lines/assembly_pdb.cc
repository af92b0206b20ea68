#include "symbols/lines/assembly_pdb.h"

#include <utility>

#include "base/file_name.h"
#include "il/body_header.h"
#include "symbols/elf/whole_file.h"

namespace walkabout::symbols {
namespace {

constexpr char kSuffix[] = ".dll";

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

std::string pdb_name(const std::string& assembly) {
  const std::string name(base::file_name(assembly));
  const bool is_dll = name.ends_with(kSuffix);
  return (is_dll ? name.substr(0, name.size() - (sizeof kSuffix - 1)) : name) + ".pdb";
}

}  // namespace

AssemblyPdb::AssemblyPdb(wire::Assembly assembly, LineBudget& budget)
    : assembly_(std::move(assembly)), budget_(budget), file_name_(pdb_name(assembly_.path)) {}

void AssemblyPdb::look(const FileRoot& root) {
  const std::string& path = assembly_.path;
  if (path.empty() || path[0] != '/' || assembly_.version.empty()) {
    why_ = "it has no file of its own";
    return;
  }
  if (budget_.is_used_up()) {
    why_ = "as much was read for other assemblies as is for one recording";
    return;
  }
  std::vector<uint8_t> file = read_whole(path, root, kMostFile);
  if (file.empty()) {
    why_ = "its file cannot be read";
    return;
  }
  if (!take_assembly(std::move(file), path) || pdb() != nullptr || !wanted_) return;
  const std::string beside = folder_of(path) + file_name_;
  std::vector<uint8_t> bytes = read_whole(beside, root, kMostFile);
  const bool there = !bytes.empty(), refused_before = !refusal_.empty();
  if (take_pdb(std::move(bytes), beside)) return;
  if (there)
    why_ = "the PDB beside it " + refusal_;
  else if (!refused_before)
    why_ = "there is no PDB beside it";
}

bool AssemblyPdb::take_assembly(std::vector<uint8_t> file, const std::string& place) {
  LineBudget::take(budget_.bytes, file.size());
  auto image = precompiled::PeLayout::read(file);
  auto metadata = image ? precompiled::Metadata::read(image->metadata()) : std::nullopt;
  const precompiled::Bytes version = metadata ? metadata->module_version() : precompiled::Bytes();
  if (version.empty() || std::string(version.begin(), version.end()) != assembly_.version) {
    why_ = metadata ? "its file is another build" : "its file is no assembly";
    return false;
  }
  file_ = std::move(file);  // where they lie stays
  image_ = std::move(image);
  metadata_ = metadata;
  const pdb::DebugDirectory debug(*image_);
  wanted_ = debug.pdb_id();
  const std::string named(base::file_name_of_any(debug.pdb_path()));
  if (!named.empty()) file_name_ = named;
  why_ = wanted_ ? "its PDB was not found" : "it names no portable PDB";
  if (debug.has_embedded_pdb() && !take_pdb(debug.embedded_pdb(), place) && wanted_)
    why_ = "the PDB in it " + refusal_;
  return true;
}

precompiled::Bytes AssemblyPdb::body_of(uint32_t method) const {
  const auto row = metadata_ ? metadata_->method_def(method) : std::nullopt;
  return row && row->rva != 0 ? image_->at(row->rva) : precompiled::Bytes();
}

precompiled::Bytes AssemblyPdb::il_of(uint32_t method) const { return il::code_of(body_of(method)); }

bool AssemblyPdb::take_pdb(std::vector<uint8_t> bytes, const std::string& place) {
  LineBudget::take(budget_.bytes, bytes.size());
  std::optional<pdb::PortablePdb> found = pdb::PortablePdb::read(bytes);
  if (!found || found->id() != wanted_) {
    refusal_ = found ? "is of another build" : "is no portable PDB";
    return false;
  }
  if (!pdb::DebugDirectory(*image_).has_checksum_of(*found)) {
    refusal_ = "was changed: its checksum is not the one that the assembly names";
    return false;
  }
  bytes_ = std::move(bytes);  // where they lie stays
  pdb_ = found;
  place_ = place;
  why_.clear();
  return true;
}

}  // namespace walkabout::symbols
