// Which native libraries are the CLR's own, by file name, of Linux and of Windows. Any thread, no state.
#pragma once

#include <string_view>

namespace walkabout::profile {

enum class RuntimePart { kNone, kJit, kOther };

// path: a file's path or name. "dotnet" (dotnet.exe) is the host program, so only with no other extension.
RuntimePart runtime_part(std::string_view path);

}  // namespace walkabout::profile
