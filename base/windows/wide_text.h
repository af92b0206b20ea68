// UTF-16, as Windows has its names, and UTF-8, as everything else here. What is neither is replaced. Pure;
// any thread.
#pragma once

#include <string>

namespace walkabout::base {

std::string utf8(const wchar_t* text);
std::wstring utf16(const std::string& text);

}  // namespace walkabout::base
