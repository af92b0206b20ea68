#include "base/open_file.h"

#include <fcntl.h>
#include <io.h>

#include "base/windows/wide_text.h"

namespace walkabout::base {

Fd open_to_read(const std::string& path) {
  return Fd(::_wopen(utf16(path).c_str(), O_RDONLY | O_BINARY | O_NOINHERIT));
}

}  // namespace walkabout::base
