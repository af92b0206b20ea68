#include "profile/names/runtime_library.h"

#include <algorithm>
#include <array>

#include "base/file_name.h"

namespace walkabout::profile {
namespace {

// The files beside libcoreclr.so in Microsoft.NETCore.App, and the hosts. (libclrgcexp.so too is a libclrgc.)
constexpr std::array<std::string_view, 9> kOther{
    "libcoreclr",      "libclrgc",    "libhostfxr",
    "libhostpolicy",   "libnethost",  "libmscordb",
    "libmscordaccore", "libclretwrc", "libcoreclrtraceptprovider"};

}  // namespace

RuntimePart runtime_part(std::string_view path) {
  const std::string_view name = base::file_name(path);
  if (name.starts_with("libclrjit")) return RuntimePart::kJit;
  if (name == "dotnet") return RuntimePart::kOther;
  if (name.starts_with("libSystem.") && name.find(".Native") != std::string_view::npos)
    return RuntimePart::kOther;
  const bool other =
      std::any_of(kOther.begin(), kOther.end(), [name](std::string_view p) { return name.starts_with(p); });
  return other ? RuntimePart::kOther : RuntimePart::kNone;
}

}  // namespace walkabout::profile
