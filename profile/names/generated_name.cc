#include "profile/names/generated_name.h"

#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

constexpr size_t kShortestHash = 32;  // of "<File>F<hash>__Name"; it is a SHA-256 today

// The ordinal of "b__3_1" is 1, of "b__0" 0.
std::string_view ordinal(std::string_view rest) {
  const size_t at = rest.find_last_of('_');
  return rest.substr(at == std::string_view::npos ? 0 : at + 1);
}

constexpr int kMaxNesting = 16;  // of generated names in generated names

Readable member_at(std::string_view name, int nesting) {
  const Generated g = take_apart(name);
  if (!g.is || g.inner.empty() || nesting > kMaxNesting) return {std::string(name), "", ""};
  if (g.rest.empty() || g.rest == "$") return member_at(g.inner, nesting + 1);  // top-level statements
  if (g.rest.starts_with("b__")) {
    Readable outer = member_at(g.inner, nesting + 1);
    outer.lambda += ".(lambda #" + std::string(ordinal(g.rest)) + ")";
    return outer;
  }
  if (g.rest.starts_with("g__")) {
    Readable outer = member_at(g.inner, nesting + 1);
    outer.path += outer.lambda + "." + std::string(g.rest.substr(3, g.rest.find('|') - 3));
    outer.tags = "local";
    outer.lambda.clear();
    return outer;
  }
  return {std::string(name), "", ""};
}

}  // namespace

Generated take_apart(std::string_view name) {
  if (name.empty() || name[0] != '<') return {};
  const size_t close = closing_bracket(name);
  if (close == std::string_view::npos) return {};
  return {true, name.substr(1, close - 1), name.substr(close + 1)};
}

Readable readable_member(std::string_view name) { return member_at(name, 0); }

bool is_state_machine(std::string_view type_segment) {
  const Generated g = take_apart(type_segment);
  return g.is && !g.inner.empty() && (g.rest == "d" || g.rest.starts_with("d__"));
}
bool is_closure(std::string_view type_segment) {
  const Generated g = take_apart(type_segment);
  return g.is && g.inner.empty() && (g.rest == "c" || g.rest.starts_with("c__"));
}

std::string readable_type_segment(std::string_view name) {
  const Generated g = take_apart(name);
  if (!g.is) return std::string(name);
  if (is_closure(name)) return "(closure)";
  if (is_state_machine(name)) {
    const Readable member = readable_member(g.inner);
    return member.path + member.lambda;
  }
  if (g.inner.empty() && g.rest.starts_with("f__AnonymousType")) {
    return "(anonymous type #" + std::string(g.rest.substr(16)) + ")";
  }
  const size_t local = g.rest.find("__");  // a file-local type
  if (g.rest.starts_with("F") && local != std::string_view::npos && local > kShortestHash) {
    return std::string(g.rest.substr(local + 2));
  }
  return std::string(name);
}

}  // namespace walkabout::profile
