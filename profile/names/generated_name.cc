#include "profile/names/generated_name.h"

#include <algorithm>
#include <array>
#include <utility>

#include "profile/names/fsharp_name.h"
#include "profile/names/member_name.h"
#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

constexpr size_t kShortestHash = 32;  // of "<File>F<hash>__Name"; it is a SHA-256 today
constexpr int kMaxNesting = 16;       // of generated names in generated names

// The ordinal of "b__3_1" is 1, of "b__0" 0.
std::string_view ordinal(std::string_view rest) {
  const size_t at = rest.find_last_of('_');
  return rest.substr(at == std::string_view::npos ? 0 : at + 1);
}

// Of "b__3_1" "1", or with all numbers "3_1".
std::string lambda_of(std::string_view rest, const NameContext& context) {
  return ".(lambda #" + std::string(context.numbers ? rest.substr(3) : ordinal(rest)) + ")";
}

Readable member_at(std::string_view name, const NameContext& context, int nesting) {
  const Generated g = take_apart(name);
  if (nesting > kMaxNesting) return {std::string(name), "", ""};
  // Around a lambda or local function of an async method may be an accessor.
  const bool is_plain = context.no_accessor && nesting == 0;
  if (!g.is) return {enclosing_name(name, context.owner, is_plain), "", ""};
  if (g.inner.empty()) {
    const bool is_base_call = g.rest.starts_with("n__");
    return {is_base_call ? "(base call #" + std::string(g.rest.substr(3)) + ")" : std::string(name), "", ""};
  }
  if (g.rest == "$") return member_at(g.inner, context, nesting + 1);
  if (g.rest.empty()) {  // calls the asynchronous Main, or is the name of its method within another name
    Readable main = member_at(g.inner, context, nesting + 1);
    if (nesting == 0) main.tag("entry point");
    return main;
  }
  if (g.rest.starts_with("b__")) {
    Readable outer = member_at(g.inner, context, nesting + 1);
    outer.lambda += lambda_of(g.rest, context);
    return outer;
  }
  if (g.rest.starts_with("g__")) {
    Readable outer = member_at(g.inner, context, nesting + 1);
    const size_t end = std::min(g.rest.find('|'), g.rest.size());
    outer.path += outer.lambda + "." + std::string(g.rest.substr(3, end - 3));
    outer.tags = "local";
    if (context.numbers && end < g.rest.size()) outer.tag("#" + std::string(g.rest.substr(end + 1)));
    outer.lambda.clear();
    return outer;
  }
  return {std::string(name), "", ""};
}

// "(anonymous type #0)" of "<>f__AnonymousType0".
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMadeTypes{{
    {"f__AnonymousType", "anonymous type"},
    {"f__AnonymousDelegate", "anonymous delegate"},
    {"y__InlineArray", "inline array of"},
    {"z__ReadOnlyArray", "read-only array"},
    {"z__ReadOnlyList", "read-only list"},
}};

std::string made_type(std::string_view rest) {
  for (const auto& [prefix, words] : kMadeTypes) {
    if (!rest.starts_with(prefix)) continue;
    const std::string_view number = rest.substr(prefix.size());
    const char* sign = prefix.starts_with("f__") ? " #" : " ";
    return "(" + std::string(words) + (number.empty() ? "" : sign + std::string(number)) + ")";
  }
  return "";
}

}  // namespace

Generated take_apart(std::string_view name) {
  if (name.empty() || name[0] != '<') return {};
  const size_t close = closing_bracket(name);
  if (close == std::string_view::npos) return {};
  return {true, name.substr(1, close - 1), name.substr(close + 1)};
}

Readable readable_member(std::string_view name, const NameContext& context) {
  return member_at(name, context, 0);
}

bool is_state_machine(std::string_view type_segment) {
  const Generated g = take_apart(type_segment);
  return g.is && !g.inner.empty() && (g.rest == "d" || g.rest.starts_with("d__"));
}
std::string_view number_of(std::string_view type_segment) {
  const std::string_view rest = take_apart(type_segment).rest;
  return rest.starts_with("d__") ? rest.substr(3) : std::string_view();
}
bool is_closure(std::string_view type_segment) {
  const Generated g = take_apart(type_segment);
  return g.is && g.inner.empty() && (g.rest == "c" || g.rest.starts_with("c__"));
}
bool is_made_type(std::string_view type_segment) {
  const Generated g = take_apart(type_segment);
  const bool is_local_to_file = g.is && g.rest.starts_with("F");
  return (g.is && !is_local_to_file) || fsharp_closure(type_segment).has_value();
}

std::string readable_type_segment(std::string_view name, bool numbers) {
  if (const auto closure = fsharp_closure(name)) {
    return std::string(closure->name) + ".(" + readable(*closure) + ")";
  }
  const Generated g = take_apart(name);
  if (!g.is) return std::string(name);
  if (is_closure(name)) {
    const size_t number = g.rest.find_first_of("0123456789");
    const bool numbered = numbers && number != std::string_view::npos;
    return numbered ? "(closure #" + std::string(g.rest.substr(number)) + ")" : "(closure)";
  }
  if (is_state_machine(name)) {
    const Readable member = readable_member(g.inner, {{}, numbers});
    const std::string_view number = number_of(name);
    return member.path + member.lambda + (numbers && !number.empty() ? "#" + std::string(number) : "");
  }
  if (g.inner.empty()) {
    const std::string made = made_type(g.rest);
    return made.empty() ? std::string(name) : made;
  }
  const size_t local = g.rest.find("__");  // a file-local type
  if (g.rest.starts_with("F") && local != std::string_view::npos && local > kShortestHash) {
    return std::string(g.rest.substr(local + 2)) + (numbers ? "@" + std::string(g.inner) : "");
  }
  return std::string(name);
}

}  // namespace walkabout::profile
