// Build ids as text and as the paths that debug packages, debuggers and debuginfod agree on.
#pragma once

#include <string>

namespace walkabout::symbols {

// Where debug packages put their files.
inline constexpr const char* kDebugFolder = "/usr/lib/debug";

// Raw bytes as lower-case hexadecimal.
std::string hex(const std::string& bytes);
// "/.build-id/ab/cdef…": below a folder of debug files, with ".debug" behind it for the debug file. REQUIRES:
// at least two bytes.
std::string build_id_path(const std::string& build_id);

}  // namespace walkabout::symbols
