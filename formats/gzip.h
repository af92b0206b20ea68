// A gzip file (RFC 1952) of some bytes; no time stamp, so equal bytes give an equal file. Any thread, no
// state.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace walkabout::formats {

base::Result<std::string> gzip(std::string_view bytes);

}  // namespace walkabout::formats
