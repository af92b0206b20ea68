#include "cli/terminal.h"

#include <algorithm>

namespace walkabout::cli {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The last `width` characters.
std::string_view tail(std::string_view text, size_t width) {
  size_t at = text.size();
  while (at > 0 && width > 0) {
    --at;
    if (!is_continuation(text[at])) --width;
  }
  return text.substr(at);
}

// "Main(…) [local]" of "Main(int, string) [local]".
std::string without_parameters(const std::string& name) {
  size_t close = name.rfind(')');
  int depth = 0;
  for (size_t i = close; i != std::string::npos && i > 0; --i) {
    if (name[i] == ')') ++depth;
    if (name[i] != '(' || --depth != 0) continue;
    return close > i + 1 ? name.substr(0, i + 1) + "…" + name.substr(close) : name;
  }
  return name;
}

}  // namespace

size_t text_width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string fit_name(const std::string& name, size_t width, size_t own) {
  if (width == 0 || text_width(name) <= width) return name;
  if (own >= name.size()) own = 0;
  for (size_t dot = name.find('.'); dot < own; dot = name.find('.', dot + 1)) {
    const std::string_view rest = std::string_view(name).substr(dot + 1);
    if (text_width(rest) < width) return "…" + std::string(rest);
  }
  std::string shorter = without_parameters(name.substr(own));
  const bool fits = text_width(shorter) + (own > 0 ? 1 : 0) <= width;
  if (fits) return (own > 0 ? "…" : "") + shorter;
  return "…" + std::string(tail(shorter, width - 1));
}

std::string wrap(const std::string& text, size_t width) {
  if (width == 0) return text;
  std::string out;
  size_t column = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = std::string_view(text).substr(begin, end - begin);
    const bool fits = column == 0 || column + 1 + text_width(word) <= width;
    if (column > 0) out += fits ? " " : "\n";
    column = (fits && column > 0 ? column + 1 : 0) + text_width(word);
    out += word;
    begin = end + 1;
  }
  return out;
}

const char* Paint::kind(profile::Kind kind) const {
  if (!on) return "";
  switch (kind) {
    case profile::Kind::kManaged:
      return "\x1b[32m";
    case profile::Kind::kNative:
      return "\x1b[33m";
    case profile::Kind::kRuntime:
    case profile::Kind::kStub:
      return "\x1b[34m";
    case profile::Kind::kOther:
      break;
  }
  return "\x1b[2m";
}

}  // namespace walkabout::cli
