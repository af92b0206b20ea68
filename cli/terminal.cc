#include "cli/terminal.h"

#include <algorithm>
#include <vector>

namespace walkabout::cli {
namespace {

constexpr size_t kLongestName = 4096;  // bytes; of a longer one only the end is shown

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

// "A.B.Run(Line)" of "A.B.Run(Line) {A+B.Run(X.Line)}".
std::string without_raw_name(const std::string& name) {
  const size_t brace = name.ends_with('}') ? name.find(" {") : std::string::npos;
  return brace == 0 ? name : name.substr(0, brace);
}

// "Main(…) [local]" of "Main(int, string) [local]".
std::string without_parameters(const std::string& name) {
  size_t close = name.rfind(')');
  int depth = 0;
  for (size_t i = close; i != std::string::npos && i > 0; --i) {
    if (name[i] == ')') ++depth;
    if (name[i] != '(' || --depth != 0) continue;
    const bool is_lambda = name[i - 1] == '.';
    return !is_lambda && close > i + 1 ? name.substr(0, i + 1) + "…" + name.substr(close) : name;
  }
  return name;
}

// Where the text goes on with the signs of an operator, which are no brackets.
size_t end_of_brackets(std::string_view name) { return std::min(name.find("operator "), name.size()); }

// "Map<…>.Find<…>(int)" of "Map<string, int>.Find<char>(int)".
std::string without_arguments(const std::string& name) {
  const size_t end = end_of_brackets(name);
  std::string out;
  int depth = 0;
  for (size_t i = 0; i < end; ++i) {
    if (name[i] == '>' && depth > 0 && --depth == 0) out += "…";
    if (depth == 0) out += name[i];
    if (name[i] == '<') ++depth;
  }
  return depth == 0 ? out + name.substr(end) : name;
}

// What goes on with the part before it: a lambda in its method, an accessor of its property.
bool belongs_to_part_before(std::string_view rest) {
  for (const std::string_view begin : {"(", "get(", "set(", "add(", "remove("}) {
    if (rest.starts_with(begin)) return true;
  }
  return false;
}

// Where types begin, but for the first: Type.Method stays together.
std::vector<size_t> parts_of(std::string_view name) {
  std::vector<size_t> out;
  int depth = 0;
  const size_t end = end_of_brackets(name);
  for (size_t i = 0; i < end; ++i) {
    if (name[i] == '<' || name[i] == '(' || name[i] == '[') ++depth;
    if (name[i] == '>' || name[i] == ')' || name[i] == ']') --depth;
    const bool begins = name[i] == '.' && depth == 0 && i > 0;
    if (begins && !belongs_to_part_before(name.substr(i + 1))) out.push_back(i + 1);
  }
  if (!out.empty()) out.pop_back();
  return out;
}

// What begins at the first of the places, which rise, from where on there are less than `width` characters.
// Empty: at none.
std::string_view end_that_fits(std::string_view text, const std::vector<size_t>& places, size_t width) {
  size_t left = text_width(text), from = 0;
  for (const size_t place : places) {
    left -= text_width(text.substr(from, place - from));
    from = place;
    if (left < width) return text.substr(place);
  }
  return {};
}

}  // namespace

size_t text_width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string fit_text(const std::string& text, size_t width) {
  if (width == 0 || text_width(text) <= width) return text;
  return "…" + std::string(tail(text, width - 1));
}

std::string fit_name(const std::string& name, size_t width, size_t own) {
  if (width == 0 || text_width(name) <= width) return name;
  if (name.size() > kLongestName) return fit_text(name, width);
  std::string bare = without_raw_name(name);
  if (text_width(bare) <= width) return bare;
  if (own >= bare.size()) own = 0;
  std::vector<size_t> of_namespace;
  for (size_t dot = bare.find('.'); dot < own; dot = bare.find('.', dot + 1)) of_namespace.push_back(dot + 1);
  if (const auto rest = end_that_fits(bare, of_namespace, width); !rest.empty())
    return "…" + std::string(rest);
  const char* const mark = own > 0 ? "…" : "";
  const size_t room = width - (own > 0 ? 1 : 0);
  std::string shorter = without_parameters(bare.substr(own));
  if (text_width(shorter) <= room) return mark + shorter;
  shorter = without_arguments(shorter);
  if (text_width(shorter) <= room) return mark + shorter;
  if (const auto rest = end_that_fits(shorter, parts_of(shorter), width); !rest.empty())
    return "…" + std::string(rest);
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
