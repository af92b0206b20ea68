#include "symbols/symbolize.h"

#include <map>
#include <memory>
#include <utility>

namespace walkabout::symbols {
namespace {

using Opened = std::shared_ptr<const ElfSymbols>;  // null: there is no such file

Opened open_image(const wire::Module& module, const FileRoot& root) {
  base::Result<ElfSymbols> symbols = module.kind == wire::ModuleKind::kVdso
                                         ? ElfSymbols::open_vdso(module.build_id)
                                         : ElfSymbols::open(module.path, module.build_id, root);
  return symbols.ok() ? std::make_shared<const ElfSymbols>(std::move(*symbols)) : nullptr;
}

}  // namespace

wire::NativeSymbols name_hits(const ModuleHits& hits, const ElfSymbols& symbols) {
  wire::NativeSymbols record;
  record.module = hits.module.code;
  record.stripped = symbols.stripped();
  record.source = symbols.source();
  uint64_t named_to = 0;
  for (const uint32_t offset : hits.offsets) {
    if (offset < named_to) continue;  // in the function found last
    std::optional<wire::NativeSymbol> symbol = symbols.find(offset);
    if (!symbol.has_value()) continue;
    named_to = symbol->end;
    record.symbols.push_back(std::move(*symbol));
  }
  return record;
}

std::vector<wire::NativeSymbols> symbolize(const std::vector<ModuleHits>& hits, const FileRoot& root) {
  // A library that was unloaded and loaded again is two modules in one file.
  std::map<std::pair<std::string, std::string>, Opened> opened;
  std::vector<wire::NativeSymbols> records;
  for (const ModuleHits& module : hits) {
    const auto [entry, first] = opened.try_emplace({module.module.path, module.module.build_id});
    if (first) entry->second = open_image(module.module, root);
    if (entry->second) {
      records.push_back(name_hits(module, *entry->second));
    } else {
      wire::NativeSymbols missing;
      missing.module = module.module.code;
      missing.found = false;
      records.push_back(std::move(missing));
    }
  }
  return records;
}

}  // namespace walkabout::symbols
