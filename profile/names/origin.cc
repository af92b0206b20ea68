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

// "10.0.0", "10.0.0-rc.1": three numbers, and whatever is behind them.
bool is_version(std::string_view text) {
  constexpr int kNumbers = 3;
  for (int i = 0; i < kNumbers; ++i) {
    const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    if (end == 0 || (i + 1 < kNumbers && text.substr(end, 1) != ".")) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// Of ".../shared/NAME/VERSION/FILE", as dotnet lays frameworks out, ".../shared"; empty: it is none.
std::string_view shared_folder(std::string_view path) {
  std::string_view parts[3];  // the file, its version, its framework
  for (std::string_view& part : parts) {
    const size_t end = path.find_last_of("/\\");
    if (end == std::string_view::npos) return {};
    part = path.substr(end + 1);
    path = path.substr(0, end);
  }
  return base::file_name_of_any(path) == "shared" && is_version(parts[1]) ? path : std::string_view();
}

// Where the runtime has the core library from. Empty: not from a shared folder, or nobody knows.
std::string_view shared_folder_of_runtime(const CodeTable& code) {
  for (const auto& [id, module] : code.modules()) {
    if (without_suffix(base::file_name_of_any(module.path)) != kCoreLibrary) continue;
    if (const std::string_view folder = shared_folder(module.path); !folder.empty()) return folder;
  }
  return {};
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
  const std::string_view known = shared_folder_of_runtime(code);
  for (const auto& [id, module] : code.modules()) {
    const std::string_view folder = shared_folder(module.path);
    const bool is_there = known.empty() ? !folder.empty() : folder == known;
    if (is_there) shared_.emplace(base::file_name_of_any(module.path));
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

bool fits_any(const std::string& name, const std::vector<DisplayFrame>& frames) {
  return std::any_of(frames.begin(), frames.end(), [&name](const DisplayFrame& frame) {
    return frame.origin != Origin::kMarker && fits(name, frame);
  });
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
