// A file opened to be read, by a name in UTF-8. Any thread; errno says why there is none.
#pragma once

#include <string>

#include "base/fd.h"

namespace walkabout::base {

// Its bytes come as they are, and a child does not inherit it.
Fd open_to_read(const std::string& path);

}  // namespace walkabout::base
