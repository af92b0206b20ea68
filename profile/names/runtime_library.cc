#include "profile/names/runtime_library.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/file_name.h"

namespace walkabout::profile {
namespace {

// The files beside coreclr in Microsoft.NETCore.App, and the hosts: on Linux with "lib" before the name, on
// Windows as they are. (clrgcexp too is a clrgc.)
constexpr std::string_view kJit = "clrjit";
constexpr std::array<std::string_view, 8> kOther{"coreclr", "clrgc",   "hostfxr",      "hostpolicy",
                                                 "nethost", "mscordb", "mscordaccore", "clretwrc"};

bool is_one_of_system(std::string_view name) {
  return name.starts_with("system.") && name.find(".native") != std::string_view::npos;
}

// Without what its system puts around it, and in lower case on Windows, where a file has its name in any.
// Empty: it has no name of a library.
std::string bare(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower.ends_with(".dll")) return lower;
  if (name.starts_with("libSystem.")) return lower.substr(3);
  return name.starts_with("lib") ? std::string(name.substr(3)) : std::string();
}

}  // namespace

RuntimePart runtime_part(std::string_view path) {
  const std::string_view file = base::file_name_of_any(path);
  if (file == "dotnet" || file == "dotnet.exe") return RuntimePart::kOther;
  const std::string name = bare(file);
  if (name.starts_with(kJit)) return RuntimePart::kJit;
  if (is_one_of_system(name)) return RuntimePart::kOther;
  const bool other =
      std::any_of(kOther.begin(), kOther.end(), [&name](std::string_view p) { return name.starts_with(p); });
  return other ? RuntimePart::kOther : RuntimePart::kNone;
}

}  // namespace walkabout::profile
