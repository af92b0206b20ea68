// The last part of a path; of a path without a separator, all of it. Pure.
#pragma once

#include <string_view>

namespace walkabout::base {

// A path of Linux.
inline std::string_view file_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path;
}

// A path of Linux or of Windows: one that begins with a slash is of Linux, where a name may have backslashes.
inline std::string_view file_name_of_any(std::string_view path) {
  path.remove_prefix(path.find_last_of(path.starts_with('/') ? "/" : "/\\") + 1);
  return path;
}

}  // namespace walkabout::base
