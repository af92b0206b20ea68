#include "symbols/find/finder.h"

#include <algorithm>
#include <utility>

#include "base/file_name.h"
#include "symbols/elf/build_id.h"

namespace walkabout::symbols {
namespace {

void add(std::string& sentence, const std::string& part) {
  sentence += (sentence.empty() ? "" : "; ") + part;
}

base::Result<ElfSymbols> own_file(const wire::Module& module) {
  // Of a redacted recording: only its name is known, which is no path from wherever we are run.
  if (module.kind != wire::ModuleKind::kVdso && !module.path.starts_with('/'))
    return base::Status::error("the recording does not say in which folder " + module.path + " was");
  return module.kind == wire::ModuleKind::kVdso ? ElfSymbols::open_vdso(module.build_id)
                                                : ElfSymbols::open(module.path, module.build_id, FileRoot());
}

// What was asked for, whole? Empty, or what is wrong with it.
std::string fault(const base::Result<ElfFile>& file, const std::string& build_id) {
  if (!file.ok()) return file.message();
  if (const base::Status whole = file->check_whole(); !whole.ok()) return whole.message();
  const std::string id = file->build_id();
  if (id != build_id) return "it is another build: its build id is " + (id.empty() ? "missing" : hex(id));
  return {};
}

}  // namespace

const Found& Finder::find(const wire::Module& module) {
  const auto [entry, first] = known_.try_emplace({module.path, module.build_id});
  if (first) entry->second = look(module);
  return entry->second;
}

Found Finder::look(const wire::Module& module) {
  Found found;
  if (module.build_id.size() < kLeastBuildId) {
    found.why = "the library has no build id: another build of it cannot be told apart";
    return found;
  }
  base::Result<ElfSymbols> own = own_file(module);
  if (own.ok()) {
    found.place = own->source();
    found.from = kOwnFiles;
    found.symbols = std::make_shared<ElfSymbols>(std::move(*own));
    if (!found.symbols->stripped()) return found;
    found.why = module.path + " is stripped";
  } else {
    found.why = own.message();
  }
  const Wanted wanted{module.build_id, std::string(base::file_name(module.path))};
  if (!request_debug_file(wanted, found) && found.symbols == nullptr) request_image(wanted, found);
  return found;
}

bool Finder::request_debug_file(const Wanted& wanted, Found& found) {
  for (const auto& source : sources_) {
    std::string place;
    base::Result<ElfFile> file = offered(*source, wanted, FileKind::kDebug, &place, &found.why);
    if (!file.ok()) continue;
    if (file->section_of_type(SHT_SYMTAB).scn == nullptr) {
      add(found.why, place + " has no symbol table");
      continue;
    }
    if (found.symbols != nullptr) {
      found.symbols->use_debug_file(std::move(*file), place);
    } else {
      found.symbols =
          std::make_shared<ElfSymbols>(ElfSymbols::of_file(std::move(*file), wanted.file_name, place));
    }
    found.from = source->name();
    found.place = place;
    found.why.clear();
    return true;
  }
  return false;
}

void Finder::request_image(const Wanted& wanted, Found& found) {
  for (const auto& source : sources_) {
    std::string place;
    base::Result<ElfFile> file = offered(*source, wanted, FileKind::kImage, &place, &found.why);
    if (!file.ok()) continue;
    found.symbols =
        std::make_shared<ElfSymbols>(ElfSymbols::of_file(std::move(*file), wanted.file_name, place));
    found.from = source->name();
    found.place = place;
    if (!found.symbols->stripped()) found.why.clear();
    return;
  }
}

base::Result<ElfFile> Finder::offered(Source& source, const Wanted& wanted, FileKind kind, std::string* place,
                                      std::string* why) {
  const char* what = kind == FileKind::kDebug ? "debug file" : "library";
  base::Result<std::optional<Offer>> offer = source.find(wanted, kind);
  std::string cause;
  if (!offer.ok()) {
    cause = offer.message();
  } else if (!offer->has_value()) {
    add(*why, source.label() + " has no " + what);
    return base::Status::error("none");
  } else {
    *place = (*offer)->place;
    base::Result<ElfFile> file = ElfFile::from_fd(std::move((*offer)->file), *place);
    cause = fault(file, wanted.build_id);
    if (cause.empty()) return file;
    cause = "refused " + *place + ", offered as the " + what + " of " + wanted.file_name + ": " + cause;
  }
  add(*why, cause);
  report(cause);
  return base::Status::error(cause);
}

void Finder::report(const std::string& problem) {
  if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end()) problems_.push_back(problem);
}

}  // namespace walkabout::symbols
