#include "profile/names/origin.h"

#include <algorithm>

#include "base/file_name.h"
#include "profile/names/async_machinery.h"
#include "profile/names/process_name.h"

namespace walkabout::profile {
namespace {

constexpr std::string_view kCoreLibrary = "System.Private.CoreLib";

bool is_called_as_framework(std::string_view assembly) {
  for (const std::string_view name : {"System", "mscorlib", "netstandard", "WindowsBase", "FSharp.Core"}) {
    if (assembly == name) return true;
  }
  return assembly.starts_with("System.") || assembly.starts_with("Microsoft.");
}

// ".../shared/NAME/VERSION/FILE", as dotnet lays frameworks out.
bool is_in_shared_folder(std::string_view path) {
  constexpr size_t kAbove = 3;  // the file, its version's folder, its framework's
  for (size_t i = 0; i < kAbove; ++i) {
    const size_t end = path.find_last_of("/\\");
    if (end == std::string_view::npos) return false;
    path = path.substr(0, end);
  }
  return base::file_name_of_any(path) == "shared";
}

bool fits(std::string_view pattern, const DisplayFrame& frame) {
  if (pattern.ends_with('*')) {
    pattern.remove_suffix(1);
    return frame.module.starts_with(pattern) || frame.name.starts_with(pattern);
  }
  return !pattern.empty() && (frame.module == pattern || without_suffix(frame.module) == pattern);
}

bool fits_one(const std::vector<std::string>& patterns, const DisplayFrame& frame) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&frame](const std::string& pattern) { return fits(pattern, frame); });
}

}  // namespace

std::string_view without_suffix(std::string_view module) {
  for (const std::string_view suffix : {".dll", ".exe"}) {
    if (module.size() > suffix.size() && module.ends_with(suffix))
      return module.substr(0, module.size() - suffix.size());
  }
  return module;
}

void Origins::learn(const CodeTable& code, std::string_view command_line) {
  const std::string name = process_name(command_line);
  const size_t blank = name.rfind(' ');  // "dotnet App.dll"
  program_ = without_suffix(blank == std::string::npos ? name : name.substr(blank + 1));
  shared_.clear();
  for (const auto& [id, module] : code.modules()) {
    if (is_in_shared_folder(module.path)) shared_.emplace(base::file_name_of_any(module.path));
  }
}

Origin Origins::of(const DisplayFrame& frame) const {
  const bool is_unknown = frame.kind == Kind::kManaged && frame.module.empty() && !frame.exact;
  if (frame.kind == Kind::kOther || is_unknown) return Origin::kMarker;
  if (frame.kind != Kind::kManaged || frame.module.empty()) return Origin::kFramework;
  const std::string_view assembly = without_suffix(frame.module);
  if (assembly == kCoreLibrary && is_async_machinery(frame.name)) return Origin::kAsync;
  if (assembly == program_) return Origin::kMine;
  const bool of_framework = is_called_as_framework(assembly) || shared_.count(frame.module) != 0;
  return of_framework ? Origin::kFramework : Origin::kMine;
}

void apply(const OriginRules& rules, std::vector<DisplayFrame>& frames) {
  for (DisplayFrame& frame : frames) {
    if (frame.origin == Origin::kMarker) continue;
    if (fits_one(rules.mine, frame))
      frame.origin = Origin::kMine;
    else if (frame.origin == Origin::kMine && fits_one(rules.not_mine, frame))
      frame.origin = Origin::kFramework;
  }
}

}  // namespace walkabout::profile
