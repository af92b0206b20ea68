#include "cli/linux/find_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "recording/reader.h"
#include "symbols/elf/build_id.h"
#include "symbols/find/line_finder.h"
#include "symbols/find/native_line_finder.h"
#include "symbols/hit_collector.h"
#include "symbols/lines/method_hits.h"
#include "symbols/symbolize.h"
#include "wire/encode.h"

namespace walkabout::cli {
namespace {

class Contents : public symbols::HitCollector {
 public:
  void on_native_symbols(const wire::NativeSymbols& record) override { names[record.module] = record; }
  void on_assembly(const wire::Assembly& record) override { methods.on_assembly(record); }
  void on_method(const wire::Method& record) override { methods.on_method(record); }
  void on_source_lines(const wire::SourceLines& record) override {
    has_lines[record.assembly] = record.found;
    lines_from[record.assembly] = record.source;
  }
  void on_native_lines(const wire::NativeLines& record) override { native_lines.insert(record.module); }
  std::set<base::CodeId> native_lines;
  std::map<base::CodeId, wire::NativeSymbols> names;  // the last record of a module counts
  symbols::MethodHits methods;
  std::map<base::AssemblyId, bool> has_lines;
  std::map<base::AssemblyId, std::string> lines_from;
};

struct Named {
  uint64_t exact = 0;
  uint64_t approximate = 0;
  bool operator<(const Named& other) const {
    return std::pair(exact, approximate) < std::pair(other.exact, other.approximate);
  }
};

Named count(const std::vector<uint32_t>& offsets, const wire::NativeSymbols& record) {
  std::vector<wire::NativeSymbol> sorted = record.symbols;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.begin < b.begin; });
  Named named;
  auto next = sorted.begin();
  for (const uint32_t offset : offsets) {
    while (next != sorted.end() && next->begin <= offset) ++next;
    if (next == sorted.begin() || offset >= std::prev(next)->end) continue;
    ++(std::prev(next)->approximate ? named.approximate : named.exact);
  }
  return named;
}

// Replaces the recording's names of this library if the finder has more.
LibraryNames improve(const symbols::ModuleHits& hits, const wire::NativeSymbols& known,
                     symbols::Finder& finder, RecordingEdit& edit) {
  const Named before = count(hits.offsets, known);
  LibraryNames library;
  library.path = hits.module.path;
  library.build_id = symbols::hex(hits.module.build_id);
  library.addresses = hits.offsets.size();
  library.named = library.named_before = before.exact;
  const bool had_names = before.exact + before.approximate > 0;
  if (had_names) library.from = "recording", library.place = known.source;
  const bool own_names = symbols::has_runtime_names(known);
  if (before.exact == hits.offsets.size() && !own_names) return library;
  if (had_names && !known.stripped) {
    library.why = "the symbol table of " + known.source + " has no function there";
    return library;
  }
  const symbols::Found& found = finder.find(hits.module);
  library.why = found.why;
  if (found.symbols == nullptr) return library;
  wire::NativeSymbols record = symbols::name_hits(hits, *found.symbols);
  const Named after = count(hits.offsets, record);
  // A recording is passed on: the address of somebody's server is not.
  if (found.place.find("://") != std::string::npos) record.source = found.from;
  const bool real_names = own_names && !record.stripped;
  if (real_names) library.check = symbols::check_names(known, record);
  if (before < after || real_names) {
    library.named = after.exact;
    library.from = found.from;
    library.place = found.place;
    edit.without_names_of.insert(hits.module.code);
    wire::encode(record, edit.add);
  }
  if (library.named == library.addresses) library.why.clear();
  if (library.named < library.addresses && library.why.empty())
    library.why = "the symbol table of " + found.place + " has no function there";
  return library;
}

// What the assemblies share.
struct LineSearch {
  symbols::LineBudget budget;
  symbols::LinesLeftOut left_out;
};

// What the libraries share.
struct NativeLineSearch {
  symbols::NativeLineBudget budget;
  symbols::NativeLinesLeftOut left_out;
};

void find_lines(const symbols::ModuleHits& hits, bool had_lines, symbols::Finder& finder,
                NativeLineSearch& search, RecordingEdit& edit, LibraryNames& library) {
  library.had_lines = library.has_lines = had_lines;
  if (had_lines) return;
  symbols::FoundNativeLines found = symbols::find_native_lines(hits, finder, search.budget, search.left_out);
  if (!found.lines) return;
  library.has_lines = true;
  library.lines_place = found.place;
  // A recording is passed on: the address of somebody's server is not.
  if (found.place.find("://") != std::string::npos) found.lines->source = found.from;
  wire::encode(*found.lines, edit.add);
}

AssemblyLines improve(const symbols::AssemblyHits& hits, const Contents& known, symbols::Finder& finder,
                      LineSearch& search, RecordingEdit& edit) {
  const base::AssemblyId id = hits.assembly.id;
  const auto has = known.has_lines.find(id);
  AssemblyLines assembly;
  assembly.path = hits.assembly.path;
  assembly.methods = hits.methods.size();
  assembly.had_lines = assembly.has_lines = has != known.has_lines.end() && has->second;
  if (assembly.had_lines) {
    assembly.from = "recording";
    assembly.place = known.lines_from.at(id);
    return assembly;
  }
  symbols::FoundLines found = symbols::find_lines(hits, finder, search.budget, search.left_out);
  assembly.why = found.why;
  if (!found.lines) return assembly;
  assembly.has_lines = true;
  assembly.from = found.from;
  assembly.place = found.place;
  // A recording is passed on: the address of somebody's server is not.
  if (found.place.find("://") != std::string::npos) found.lines->source = found.from;
  edit.without_lines_of.insert(id);
  wire::encode(*found.lines, edit.add);
  return assembly;
}

uint64_t sum(const std::vector<LibraryNames>& libraries, uint64_t LibraryNames::*what) {
  uint64_t all = 0;
  for (const LibraryNames& library : libraries) all += library.*what;
  return all;
}

}  // namespace

uint64_t NewNames::addresses() const { return sum(libraries, &LibraryNames::addresses); }
uint64_t NewNames::named_before() const { return sum(libraries, &LibraryNames::named_before); }
uint64_t NewNames::named() const { return sum(libraries, &LibraryNames::named); }

uint64_t NewNames::libraries_with_new_lines() const {
  return static_cast<uint64_t>(std::count_if(libraries.begin(), libraries.end(),
                                             [](const auto& l) { return l.has_lines && !l.had_lines; }));
}

base::Result<NewNames> find_names(const std::string& recording, symbols::Finder& finder, bool lines) {
  Contents contents;
  const base::Result<recording::ReadSummary> summary = recording::read_recording(recording, contents);
  if (!summary.ok()) return summary.status();
  NewNames names;
  names.damage = summary->damage;
  NativeLineSearch native;
  const bool wants_lines = lines || contents.methods.has_lines();
  for (const symbols::ModuleHits& hits : contents.hits()) {
    names.libraries.push_back(improve(hits, contents.names[hits.module.code], finder, names.edit));
    if (wants_lines)
      find_lines(hits, contents.native_lines.contains(hits.module.code), finder, native, names.edit,
                 names.libraries.back());
  }
  std::stable_sort(names.libraries.begin(), names.libraries.end(),
                   [](const auto& a, const auto& b) { return a.addresses > b.addresses; });
  LineSearch search;
  for (const symbols::AssemblyHits& hits : contents.methods.hits()) {
    if (!hits.methods.empty())
      names.assemblies.push_back(improve(hits, contents, finder, search, names.edit));
  }
  std::stable_sort(names.assemblies.begin(), names.assemblies.end(),
                   [](const auto& a, const auto& b) { return a.methods > b.methods; });
  names.problems = finder.problems();
  std::vector<std::string> left_out = search.left_out.sentences();
  for (std::string& text : native.left_out.sentences()) left_out.push_back(std::move(text));
  for (std::string& text : left_out) {
    wire::encode(wire::Message{0, wire::Severity::kWarning, text}, names.edit.add);
    names.problems.push_back(std::move(text));
  }
  return names;
}

}  // namespace walkabout::cli
