#include "base/error_line.h"

namespace walkabout::base {
namespace {

void add_escaped(unsigned char c, std::string* to) {
  constexpr char kDigits[] = "0123456789abcdef";
  *to += "\\x";
  *to += kDigits[c >> 4];
  *to += kDigits[c & 0xf];
}

bool is_c1(std::string_view text, size_t at) {
  const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : '\0');
  return text[at] == '\xc2' && next >= 0x80 && next < 0xa0;
}

}  // namespace

std::string error_line(std::string_view text) {
  std::string line = "walkabout: ";
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 || c == 0x7f) {
      add_escaped(c, &line);
    } else if (is_c1(text, at)) {
      add_escaped(static_cast<unsigned char>(text[++at]), &line);
    } else {
      line += text[at];
    }
  }
  return line + '\n';
}

}  // namespace walkabout::base
