// Raw deflate (RFC 1951, no zlib or gzip header) by zlib: what browsers call 'deflate-raw'. No thread rule.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace walkabout::formats {

base::Result<std::string> deflate_raw(std::string_view bytes);

}  // namespace walkabout::formats
