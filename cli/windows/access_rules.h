// Who could put another library in the place of ours, as an access list says. Pure but for the names of
// well-known accounts; any thread. Source: the access rights of files and
// directories; renaming wants DELETE on the thing itself or FILE_DELETE_CHILD on the folder it is in.
#pragma once

#include "base/windows/win32.h"
// after win32.h
#include <cstdint>
#include <string>
#include <vector>

namespace walkabout::cli {

// What an access list belongs to, as seen from the library.
enum class Place : uint8_t {
  kFile,    // the library
  kFolder,  // that it lies in: a file added there may be loaded as well
  kAbove,   // a folder above: what matters is whether the one below it could be renamed. Adding is harmless
  kRoot,    // of a volume: cannot itself be renamed
};

// Whether one who has these rights could replace the library, or give himself the rights.
bool may_replace(uint32_t rights, Place place);

// You (self; may be null), administrators, the system.
bool is_trusted(PSID who, PSID self);

// The first who could replace the library and is not trusted; null if there is none. What is denied is not
// taken into account: that can only refuse too much. An entry only for what is made inside does not count.
PSID find_stranger(PACL list, Place place, PSID self);

// From the folder that `path` lies in to the root: "C:\a\b" has "C:\a" and "C:\"; of a share,
// "\\server\share\" is the root. Empty for a root and for what is not absolute.
std::vector<std::wstring> folders_above(const std::wstring& path);

}  // namespace walkabout::cli
