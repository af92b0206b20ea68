// Symbol names as people write them.
#pragma once

#include <string>

namespace walkabout::symbols {

// Cuts a version ("foo@@GLIBC_2.2.5"), then demangles C++; anything else stays as it is.
std::string readable_symbol(const std::string& raw);

}  // namespace walkabout::symbols
