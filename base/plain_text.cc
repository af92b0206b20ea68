#include "base/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace walkabout::base {
namespace {

struct Span {
  uint32_t first, last;
};

// In order. Source: Unicode's Cc, Zl, Zp, Bidi_Control and Default_Ignorable_Code_Point, but for the
// selectors that choose between two pictures of one character; and the marks of annotations.
constexpr std::array kWrittenOut{
    Span{0x00, 0x1f},       Span{0x7f, 0x9f},       Span{0xad, 0xad},      Span{0x34f, 0x34f},
    Span{0x61c, 0x61c},     Span{0x115f, 0x1160},   Span{0x17b4, 0x17b5},  Span{0x180e, 0x180e},
    Span{0x200b, 0x200f},   Span{0x2028, 0x202e},   Span{0x2060, 0x206f},  Span{0x3164, 0x3164},
    Span{0xfeff, 0xfeff},   Span{0xffa0, 0xffa0},   Span{0xfff0, 0xfffb},  Span{0x1bca0, 0x1bca3},
    Span{0x1d173, 0x1d17a}, Span{0xe0000, 0xe00ff}, Span{0xe01f0, 0xe0fff}};

bool written_out(uint32_t point) {
  const auto* at = std::lower_bound(kWrittenOut.begin(), kWrittenOut.end(), point,
                                    [](const Span& span, uint32_t p) { return span.last < p; });
  return at != kWrittenOut.end() && at->first <= point;
}

struct Character {
  uint32_t point = 0;
  size_t bytes = 1;
};

// The character that begins at `at`. Where it is no UTF-8, a byte that nothing is known of.
Character character(std::string_view text, size_t at) {
  constexpr Character kNone{0xfffd, 1};
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + bytes > text.size()) return kNone;
  uint32_t point = first & (0x7fu >> bytes);
  for (size_t i = at + 1; i < at + bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return kNone;
    point = point << 6 | (byte(i) & 0x3f);
  }
  return {point, bytes};
}

std::string escape(uint32_t point) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string hex;
  for (; point != 0 || hex.empty(); point >>= 4) hex.insert(hex.begin(), kDigits[point & 15]);
  return "\\u{" + hex + "}";
}

bool plain_ascii(char c) { return c >= 0x20 && c < 0x7f; }

}  // namespace

std::string plain_text(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), plain_ascii)) return std::string(text);
  std::string plain;
  plain.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Character c = character(text, at);
    if (c.point == '\n' || c.point == '\t' || c.point == '\r') {
      plain += ' ';
    } else if (written_out(c.point)) {
      plain += escape(c.point);
    } else {
      plain += text.substr(at, c.bytes);
    }
    at += c.bytes;
  }
  return plain;
}

}  // namespace walkabout::base
