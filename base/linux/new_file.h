// The file that will replace another: made beside it under a name of its own, to be renamed when it is whole.
//
// Only its owner may read it (a recording holds command lines and paths), unless it replaces a file: then it
// has that file's owner, as far as we may give it, and mode. Never an existing file, never through a link:
// another user may have foreseen the name. Any thread, no state.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::base {

struct NewFile {
  Fd fd;  // for writing
  std::string path;
};

// An error says that `replaced` cannot be written, and why.
Result<NewFile> create_beside(const std::string& replaced);

}  // namespace walkabout::base
