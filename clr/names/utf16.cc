#include "clr/names/utf16.h"

#include <cstring>

namespace walkabout::clr {
namespace {

void append(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3f));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

// Takes one character off the text's front, at least a byte.
uint32_t take(std::string_view& text) {
  constexpr uint32_t kNone = 0xfffd, kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto at = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const uint32_t first = at(0);
  const size_t size = first < 0x80       ? 1
                      : first >> 5 == 6  ? 2
                      : first >> 4 == 14 ? 3
                      : first >> 3 == 30 ? 4
                                         : 0;
  uint32_t c = size < 2 ? first : first & (0x7fu >> size);
  bool valid = size != 0 && size <= text.size();
  for (size_t i = 1; i < size && valid; ++i) {
    valid = (at(i) & 0xc0) == 0x80;
    c = c << 6 | (at(i) & 0x3f);
  }
  valid = valid && c >= kLeast[size] && c < 0x110000 && (c < 0xd800 || c >= 0xe000);
  text.remove_prefix(valid ? size : 1);
  return valid ? c : kNone;
}

}  // namespace

std::string to_utf8(std::span<const uint8_t> utf16, bool cut) {
  std::u16string text(utf16.size() / sizeof(char16_t), u'\0');
  if (!text.empty()) std::memcpy(text.data(), utf16.data(), text.size() * sizeof(char16_t));
  if (cut) text += u"...";
  return to_utf8(text);
}

std::u16string to_utf16(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const uint32_t c = take(text);
    if (c >= 0x10000) out += static_cast<char16_t>(0xd800 + ((c - 0x10000) >> 10));
    out += static_cast<char16_t>(c < 0x10000 ? c : 0xdc00 + (c & 0x3ff));
  }
  return out;
}

std::string to_utf8(std::u16string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const uint32_t c = text[i];
    if (c >= 0xd800 && c < 0xdc00 && i + 1 < text.size() && text[i + 1] >= 0xdc00 && text[i + 1] < 0xe000) {
      append(0x10000 + ((c - 0xd800) << 10) + (text[++i] - 0xdc00u), out);
    } else {
      append(c >= 0xd800 && c < 0xe000 ? 0xfffd : c, out);
    }
  }
  return out;
}

}  // namespace walkabout::clr
