#include "profile/names/runtime_library.h"

#include <algorithm>
#include <array>

#include "base/file_name.h"

namespace walkabout::profile {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// The files beside libcoreclr.so in Microsoft.NETCore.App, and the hosts. (libclrgcexp.so too is a libclrgc.)
constexpr std::array<std::string_view, 9> kOther{
    "libcoreclr",      "libclrgc",    "libhostfxr",
    "libhostpolicy",   "libnethost",  "libmscordb",
    "libmscordaccore", "libclretwrc", "libcoreclrtraceptprovider"};

}  // namespace

RuntimePart runtime_part(std::string_view path) {
  const std::string_view name = base::file_name(path);
  if (starts_with(name, "libclrjit")) return RuntimePart::kJit;
  if (name == "dotnet") return RuntimePart::kOther;
  if (starts_with(name, "libSystem.") && name.find(".Native") != std::string_view::npos)
    return RuntimePart::kOther;
  const bool other =
      std::any_of(kOther.begin(), kOther.end(), [name](std::string_view p) { return starts_with(name, p); });
  return other ? RuntimePart::kOther : RuntimePart::kNone;
}

}  // namespace walkabout::profile
