#include "profile/names/readable_type.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "profile/names/generated_name.h"

namespace walkabout::profile {
namespace {

constexpr int kMaxDepth = 16;  // of type arguments in type arguments; deeper ones are shown as they are

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kKeywords{{
    {"System.Boolean", "bool"},
    {"System.Byte", "byte"},
    {"System.SByte", "sbyte"},
    {"System.Char", "char"},
    {"System.Decimal", "decimal"},
    {"System.Double", "double"},
    {"System.Single", "float"},
    {"System.Int32", "int"},
    {"System.UInt32", "uint"},
    {"System.IntPtr", "nint"},
    {"System.UIntPtr", "nuint"},
    {"System.Int64", "long"},
    {"System.UInt64", "ulong"},
    {"System.Int16", "short"},
    {"System.UInt16", "ushort"},
    {"System.Object", "object"},
    {"System.String", "string"},
    {"System.Void", "void"},
}};

// The agent's and ILDASM's words before a type.
constexpr std::array<std::string_view, 3> kPrefixes{"class ", "value class ", "valuetype "};

// How a type is written within another. whole: with namespaces and all the compiler's numbers.
struct Within {
  int depth = 0;
  bool whole = false;
  Within deeper() const { return {depth + 1, whole}; }
};

std::string type_at(std::string_view text, Within at);

std::string types_at(const std::vector<std::string_view>& types, Within at) {
  std::string out;
  for (const std::string_view type : types) {
    if (!out.empty()) out += ", ";
    out += type_at(type, at);
  }
  return out;
}

std::string segment_at(const TypeSegment& segment, Within at) {
  std::string out = readable_type_segment(segment.name, at.whole);
  if (out.starts_with("(anonymous type")) return out;  // its arguments are the types of its members
  if (!segment.arguments.empty()) return out + "<" + types_at(segment.arguments, at) + ">";
  if (segment.arity == 1) return out + "<T>";
  for (unsigned i = 1; i <= segment.arity; ++i) out += (i == 1 ? "<T" : ", T") + std::to_string(i);
  return segment.arity > 0 ? out + ">" : out;
}

std::string segments_at(const TypeName& type, Within at) {
  std::string out;
  for (const TypeSegment& segment : type.segments) {
    if (!out.empty()) out += '.';
    out += segment_at(segment, at);
  }
  return out;
}

// Types with a syntax of their own; empty if this is none.
std::string special_syntax(std::string_view name, const TypeName& type, Within at) {
  if (type.segments.size() != 1) return "";
  const auto& arguments = type.segments[0].arguments;
  for (const auto& [full, keyword] : kKeywords) {
    if (name == full) return std::string(keyword);
  }
  if (type.name_space != "System") return "";
  if (type.segments[0].name == "Nullable" && arguments.size() == 1) return type_at(arguments[0], at) + "?";
  if (type.segments[0].name == "ValueTuple" && arguments.size() > 1)
    return "(" + types_at(arguments, at) + ")";
  return "";
}

std::string with_namespace(const TypeName& type, const std::string& text) {
  return type.name_space.empty() ? text : std::string(type.name_space) + "." + text;
}

std::string type_at(std::string_view text, Within at) {
  text = trim(text);
  for (const std::string_view prefix : kPrefixes) {
    if (text.substr(0, prefix.size()) == prefix) text.remove_prefix(prefix.size());
  }
  if (at.depth > kMaxDepth) return std::string(text);
  if (text.substr(0, 4) == "ref ") return "ref " + type_at(text.substr(4), at.deeper());
  const TypeName type = parse_type(text);
  std::string_view suffix = type.suffix;
  const std::string_view full = text.substr(0, text.size() - suffix.size());
  std::string out = special_syntax(full, type, at.deeper());
  if (out.empty()) {
    out = segments_at(type, at.deeper());
    if (at.whole) out = with_namespace(type, out);
  }
  if (!suffix.empty() && suffix.back() == '&') {
    suffix.remove_suffix(1);
    out = "ref " + out;
  }
  return out + std::string(suffix);
}

std::string_view take_suffix(std::string_view& text) {
  size_t end = text.size();
  while (end > 0) {
    const char c = text[end - 1];
    if (c == '*' || c == '&') {
      --end;
    } else if (c == ']') {
      size_t open = end - 1;
      while (open > 0 && (text[open - 1] == ',' || text[open - 1] == '*')) --open;
      if (open == 0 || text[open - 1] != '[') break;
      end = open - 1;
    } else {
      break;
    }
  }
  const std::string_view suffix = text.substr(end);
  text = text.substr(0, end);
  return suffix;
}

TypeSegment parse_segment(std::string_view text) {
  TypeSegment segment;
  const NameAndArguments parts = split_arguments(text);
  segment.name = parts.name;
  if (!parts.arguments.empty()) segment.arguments = split_outside_brackets(parts.arguments, ',');
  const size_t tick = segment.name.rfind('`');
  if (tick == std::string_view::npos || tick + 1 == segment.name.size() || segment.name.size() - tick > 4)
    return segment;
  const std::string digits(segment.name.substr(tick + 1));
  if (digits.find_first_not_of("0123456789") != std::string::npos) return segment;
  segment.arity = static_cast<unsigned>(std::atoi(digits.c_str()));
  segment.name = segment.name.substr(0, tick);
  return segment;
}

// Metadata puts the arguments of all enclosing types on the innermost one: give each segment its own.
void distribute_arguments(std::vector<TypeSegment>& segments) {
  const std::vector<std::string_view> all = segments.back().arguments;
  size_t wanted = 0;
  for (const TypeSegment& segment : segments) wanted += segment.arity;
  if (all.empty() || wanted != all.size()) return;
  auto next = all.begin();
  for (TypeSegment& segment : segments) {
    segment.arguments.assign(next, next + segment.arity);
    next += segment.arity;
  }
}

// "List`1[System.Int32][]" → "List`1<System.Int32>[]": brackets that hold types are others than an array's.
std::string with_angle_brackets(std::string_view text) {
  std::string out(text);
  std::vector<size_t> open;
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '[') open.push_back(i);
    if (out[i] != ']' || open.empty()) continue;
    const size_t begin = open.back();
    open.pop_back();
    if (out.find_first_not_of(",*", begin + 1) >= i) continue;
    out[begin] = '<';
    out[i] = '>';
  }
  return out;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

size_t own_part(std::string_view readable) {
  const size_t end = std::min(readable.find_first_of("<(["), readable.size());
  const size_t dot = readable.substr(0, end).rfind('.');
  return dot == std::string_view::npos ? 0 : dot + 1;
}

size_t closing_bracket(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

NameAndArguments split_arguments(std::string_view text) {
  if (text.empty() || text.back() != '>') return {text, {}};
  // The last group of brackets. Those before it are of another name, as of the interface in
  // "IMap<int>.Find<string>", or no arguments: names the compiler makes begin with them ("<Main>b__0_0",
  // "<>c").
  int depth = 0;
  size_t open = text.size();
  do {
    --open;
    if (text[open] == '>') ++depth;
    if (text[open] == '<') --depth;
  } while (depth > 0 && open > 0);
  if (depth != 0 || open == 0 || text[open - 1] == '>') return {text, {}};
  return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '[' || c == '(') ++depth;
    if (c == '>' || c == ']' || c == ')') --depth;
    if (c != separator || depth != 0) continue;
    parts.push_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trim(text.substr(begin)));
  return parts;
}

TypeName parse_type(std::string_view text) {
  TypeName type;
  type.suffix = take_suffix(text);
  for (const std::string_view part : split_outside_brackets(text, '+'))
    type.segments.push_back(parse_segment(part));
  std::string_view& outermost = type.segments.front().name;
  const size_t compiler_made = std::min(outermost.find('<'), outermost.size());
  const size_t dot = outermost.substr(0, compiler_made).rfind('.');
  if (dot != std::string_view::npos) {
    type.name_space = outermost.substr(0, dot);
    outermost = outermost.substr(dot + 1);
  }
  distribute_arguments(type.segments);
  return type;
}

std::string readable_segment(const TypeSegment& segment, bool numbers) {
  return segment_at(segment, {0, numbers});
}

std::string readable_type(std::string_view text) {
  const TypeName type = parse_type(text);
  return with_namespace(type, segments_at(type, {})) + std::string(type.suffix);
}

std::string short_type(std::string_view text) { return type_at(text, {}); }
std::string short_types(const std::vector<std::string_view>& types) { return types_at(types, {}); }
std::string short_types(std::string_view text) {
  return trim(text).empty() ? "" : short_types(split_outside_brackets(text, ','));
}
std::string whole_type(std::string_view text) { return type_at(text, {0, true}); }
std::string whole_types(const std::vector<std::string_view>& types) { return types_at(types, {0, true}); }

std::string readable_event_type(std::string_view text) {
  if (text.find_first_of("`[<") == std::string_view::npos) return std::string(text);
  return readable_type(with_angle_brackets(text));
}

}  // namespace walkabout::profile
