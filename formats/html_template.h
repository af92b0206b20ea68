// The report's page without data, one self-contained HTML file. Built from web/ and put into the program by
// web/embed.mjs.
#pragma once

#include <string_view>

namespace walkabout::formats {

// Stands exactly once in the template, where the payload in base64 goes.
inline constexpr std::string_view kHtmlDataMark = "@WALKABOUT_DATA@";

std::string_view html_template();

}  // namespace walkabout::formats
