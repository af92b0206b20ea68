// Folders that belong to one walkabout process as long as it lives: it holds a lock (flock(2)) on the folder,
// which the kernel takes back however the process ends. What the next one finds unlocked is stale: a dead
// one's.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/fd.h"

namespace walkabout::cli {

// The name of the collector's socket in such a folder.
inline constexpr const char* kCollectorSocket = "agent";

// Holds `name` in `parent`, just made by us, while the returned descriptor is open. Invalid, with errno
// ENOENT, if somebody took it for a dead one's in between: make another. Where the file system knows no locks
// it is not held, and not removed by others either.
base::Fd hold_folder(const base::Fd& parent, const std::string& name);

// Takes away what dead processes left in `parent`: the socket, then the folder if nothing else is in it, for
// a recording stays. Only folders of `owner` whose names begin with `prefix`; REQUIRES: every maker of those
// holds them.
void remove_stale_folders(const base::Fd& parent, std::string_view prefix, uid_t owner);

}  // namespace walkabout::cli
