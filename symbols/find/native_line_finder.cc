#include "symbols/find/native_line_finder.h"

#include <utility>

#include "base/file_name.h"

namespace walkabout::symbols {
namespace {

struct FoundDebugInfo {
  std::optional<DebugInfo> info;
  std::string from;
};

FoundDebugInfo look_for(const wire::Module& module, Finder& finder) {
  FoundDebugInfo found{find_debug_info(module.path, module.build_id, FileRoot()), kOwnFiles};
  if (found.info) return found;
  const Wanted wanted{module.build_id, std::string(base::file_name(module.path))};
  for (const auto& source : finder.sources()) {
    std::string place;
    base::Result<ElfFile> file = finder.offered(*source, wanted, FileKind::kDebug, place);
    if (file.ok() && has_debug_info(*file))
      return {debug_info_of(std::move(*file), place, FileRoot()), source->name()};
  }
  return {};
}

}  // namespace

FoundNativeLines find_native_lines(const ModuleHits& hits, Finder& finder, NativeLineBudget& budget,
                                   NativeLinesLeftOut& left_out) {
  const wire::Module& module = hits.module;
  if (module.kind != wire::ModuleKind::kElf || module.build_id.size() < kLeastBuildId) return {};
  const FoundDebugInfo found = look_for(module, finder);
  if (!found.info) return {};
  FoundNativeLines result{native_lines_of(hits, *found.info, budget, left_out), "", ""};
  if (!result.lines) return {};
  result.from = found.from;
  result.place = found.info->place;
  return result;
}

}  // namespace walkabout::symbols
