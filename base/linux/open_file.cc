#include "base/open_file.h"

#include <fcntl.h>

namespace walkabout::base {

Fd open_to_read(const std::string& path) { return Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }

}  // namespace walkabout::base
