#include "recording/plain_text.h"

#include <algorithm>

namespace walkabout::recording {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_c0(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_c1(std::string_view text, size_t at) {
  const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : '\0');
  return text[at] == '\xc2' && next >= 0x80 && next < 0xa0;
}

}  // namespace

std::string plain_text(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), [](char c) { return is_c0(c) || c == '\xc2'; }))
    return std::string(text);
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n' || c == '\t' || c == '\r') {
      plain += ' ';
    } else if (is_c0(c)) {
      plain += kReplacement;
    } else if (is_c1(text, at)) {
      plain += kReplacement;
      ++at;
    } else {
      plain += c;
    }
  }
  return plain;
}

}  // namespace walkabout::recording
