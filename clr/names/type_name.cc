#include "clr/names/type_name.h"

#include <algorithm>

namespace walkabout::clr {
namespace {

constexpr uint32_t kMaxRank = 32;   // System.Array's limit
constexpr size_t kMaxArity = 1000;  // no compiler emits more; a name may claim anything

// Reads the digits of "`2" at `at`, moves behind them. 0: no arity there.
size_t take_arity(std::string_view name, size_t& at) {
  size_t arity = 0;
  size_t end = at + 1;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9' && arity <= kMaxArity) {
    arity = arity * 10 + static_cast<size_t>(name[end++] - '0');
  }
  const bool whole = end == name.size() || name[end] == '+';
  if (!whole || arity == 0 || arity > kMaxArity) return 0;
  at = end;
  return arity;
}

void append_arguments(std::span<const std::string> arguments, size_t arity, std::string& out) {
  out += '<';
  for (size_t i = 0; i < arity && out.size() <= kLongestTypeName; ++i) {
    if (i > 0) out += arguments.empty() ? "," : ", ";
    if (i < arguments.size()) out += arguments[i];
  }
  out += '>';
}

}  // namespace

std::string with_arguments(std::string_view raw_name, std::span<const std::string> arguments) {
  std::string out;
  for (size_t i = 0; i < raw_name.size();) {
    const size_t arity = raw_name[i] == '`' ? take_arity(raw_name, i) : 0;
    if (arity == 0) {
      out += raw_name[i++];
      continue;
    }
    const size_t given = std::min(arity, arguments.size());
    append_arguments(arguments.first(given), arity, out);
    arguments = arguments.subspan(given);
  }
  if (!arguments.empty()) append_arguments(arguments, arguments.size(), out);
  limit_length(out);
  return out;
}

std::string array_of(std::string element, uint32_t rank) {
  size_t insert = element.size();
  while (insert > 1 && element[insert - 1] == ']') {
    // "[,]" and "[]" are array brackets; anything else in brackets belongs to a name.
    const size_t open = element.find_last_not_of(',', insert - 2);
    if (open == std::string::npos || element[open] != '[') break;
    insert = open;
  }
  std::string brackets(std::clamp(rank, 1u, kMaxRank) + 1, ',');
  brackets.front() = '[';
  brackets.back() = ']';
  element.insert(insert, brackets);
  limit_length(element);
  return element;
}

void limit_length(std::string& text) {
  if (text.size() <= kLongestTypeName) return;
  size_t end = kLongestTypeName;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  text += "…";
}

}  // namespace walkabout::clr
