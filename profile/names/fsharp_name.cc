#include "profile/names/fsharp_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace walkabout::profile {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

// Operators with a name of their own. Source: prim-types.fs of FSharp.Core.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kNamed{{
    {"op_PipeRight", "|>"},
    {"op_PipeRight2", "||>"},
    {"op_PipeRight3", "|||>"},
    {"op_PipeLeft", "<|"},
    {"op_PipeLeft2", "<||"},
    {"op_PipeLeft3", "<|||"},
    {"op_ComposeRight", ">>"},
    {"op_ComposeLeft", "<<"},
    {"op_Append", "@"},
    {"op_Concatenate", "^"},
    {"op_Exponentiation", "**"},
    {"op_Dereference", "!"},
    {"op_ColonEquals", ":="},
    {"op_Range", ".."},
    {"op_RangeStep", ".. .."},
    {"op_Dynamic", "?"},
}};

// Characters of other operators. A word that begins another stands behind it.
constexpr std::array<std::pair<std::string_view, char>, 21> kCharacters{{
    {"Greater", '>'}, {"Less", '<'},    {"Plus", '+'},   {"Minus", '-'},  {"Multiply", '*'}, {"Equals", '='},
    {"Twiddle", '~'}, {"Percent", '%'}, {"Dot", '.'},    {"Dollar", '$'}, {"Amp", '&'},      {"Bar", '|'},
    {"At", '@'},      {"Hash", '#'},    {"Hat", '^'},    {"Bang", '!'},   {"Qmark", '?'},    {"Divide", '/'},
    {"Colon", ':'},   {"Comma", ','},   {"Quote", '\''},
}};

// Empty: its name is not made of characters' names.
std::string spelled(std::string_view words) {
  std::string out;
  while (!words.empty()) {
    const auto found = std::find_if(kCharacters.begin(), kCharacters.end(),
                                    [words](const auto& one) { return words.starts_with(one.first); });
    if (found == kCharacters.end()) return "";
    out += found->second;
    words.remove_prefix(found->first.size());
  }
  return out;
}

}  // namespace

std::optional<FSharpClosure> fsharp_closure(std::string_view type_segment) {
  const size_t at = type_segment.rfind('@');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const std::string_view behind = type_segment.substr(at + 1);
  const size_t dash = behind.find('-');
  FSharpClosure out{type_segment.substr(0, at), behind.substr(0, dash), {}};
  if (dash != std::string_view::npos) out.number = behind.substr(dash + 1);
  const bool fits = is_number(out.line) && (dash == std::string_view::npos || is_number(out.number));
  return fits ? std::optional(out) : std::nullopt;
}

std::string readable(const FSharpClosure& closure) {
  const std::string number = closure.number.empty() ? "" : " #" + std::string(closure.number);
  return "closure" + number + " at line " + std::string(closure.line);
}

std::string fsharp_member(std::string_view name) {
  const bool is_pattern = name.size() > 2 && name.front() == '|' && name.back() == '|';
  if (is_pattern) return "(" + std::string(name) + ")";
  if (!name.starts_with("op_")) return std::string(name);
  const auto named =
      std::find_if(kNamed.begin(), kNamed.end(), [name](const auto& one) { return one.first == name; });
  const std::string sign = named != kNamed.end() ? std::string(named->second) : spelled(name.substr(3));
  return sign.empty() ? std::string(name) : "(" + sign + ")";
}

std::string_view fsharp_file(std::string_view type) {
  constexpr std::string_view kStartup = "<StartupCode$";
  const size_t file = type.find(">.$");
  if (!type.starts_with(kStartup) || file == std::string_view::npos) return {};
  return type.substr(file + 3);
}

}  // namespace walkabout::profile
