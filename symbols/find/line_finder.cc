#include "symbols/find/line_finder.h"

#include <utility>
#include <vector>

#include "base/file_name.h"
#include "symbols/elf/whole_file.h"
#include "symbols/lines/assembly_pdb.h"
#include "symbols/lines/source_lines.h"

namespace walkabout::symbols {
namespace {

// Offers the files of this kind to `take` until it takes one. The source's name; empty: none had it.
template <typename Take>
std::string ask(Finder& finder, const Wanted& wanted, FileKind kind, Take take) {
  for (const auto& source : finder.sources()) {
    const base::Result<std::optional<Offer>> offer = source->find(wanted, kind);
    if (!offer.ok()) finder.report(offer.message());
    if (!offer.ok() || !offer->has_value()) continue;
    const std::string& place = (*offer)->place;
    if (take(read_whole((*offer)->file, AssemblyPdb::kMostFile), place)) return source->name();
    finder.report("refused " + place + ", offered for " + wanted.file_name +
                  ": it is another build, or damaged");
  }
  return {};
}

}  // namespace

FoundLines find_lines(const AssemblyHits& hits, Finder& finder, LineBudget& budget, LinesLeftOut& left_out) {
  FoundLines found;
  const bool too_late = budget.is_used_up();
  AssemblyPdb pdb(hits.assembly, budget);
  pdb.look(FileRoot());
  if (too_late) {
    left_out.add(LineLoss::kUsedUp, hits.assembly.path, hits.methods.size());
    found.why = pdb.why();
    return found;
  }
  if (pdb.pdb() != nullptr) found.from = kOwnFiles;
  const std::string name(base::file_name_of_any(hits.assembly.path));
  if (!pdb.knows_assembly() && !hits.assembly.version.empty()) {
    const std::string from = ask(finder, {hits.assembly.version, name}, FileKind::kAssembly,
                                 [&](std::vector<uint8_t> file, const std::string& at) {
                                   return pdb.take_assembly(std::move(file), at);
                                 });
    if (pdb.pdb() != nullptr) found.from = from;
  }
  if (pdb.pdb() == nullptr && pdb.wanted()) {
    found.from = ask(
        finder, {std::string(pdb.wanted()->begin(), pdb.wanted()->end()), pdb.file_name()}, FileKind::kPdb,
        [&](std::vector<uint8_t> file, const std::string& at) { return pdb.take_pdb(std::move(file), at); });
  }
  found.why = pdb.why();
  if (pdb.pdb() == nullptr) return found;
  found.place = pdb.place();
  found.lines = lines_of(hits, pdb, budget, left_out);
  return found;
}

}  // namespace walkabout::symbols
