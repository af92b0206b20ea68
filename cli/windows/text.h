// UTF-16, as Windows has it, and UTF-8. Pure; allocates.
#pragma once

#include <string>

namespace walkabout::cli {

std::string narrow(const wchar_t* text);

}  // namespace walkabout::cli
