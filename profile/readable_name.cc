#include "profile/readable_name.h"

#include <array>
#include <string_view>
#include <utility>

#include "profile/type_name.h"

namespace walkabout::profile {
namespace {

using wire::Method;
using wire::MethodFlag;

// "<Inner>rest": how the compiler marks what it made.
struct Generated {
  bool is = false;
  std::string_view inner;
  std::string_view rest;
};
Generated take_apart(std::string_view name) {
  if (name.empty() || name[0] != '<') return {};
  const size_t close = closing_bracket(name);
  if (close == std::string_view::npos) return {};
  return {true, name.substr(1, close - 1), name.substr(close + 1)};
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// A name on its way to being readable.
struct Readable {
  std::string path;    // "Main.Fib"
  std::string lambda;  // ".(lambda #0)", shown without parameters
  std::string tags;    // "local", "local async"
  void tag(std::string_view t) { tags += (tags.empty() ? "" : " ") + std::string(t); }
};

// The ordinal of "b__3_1" is 1, of "b__0" 0.
std::string_view ordinal(std::string_view rest) {
  const size_t at = rest.find_last_of('_');
  return rest.substr(at == std::string_view::npos ? 0 : at + 1);
}

constexpr int kMaxNesting = 16;  // of generated names in generated names

Readable readable_member(std::string_view name, int nesting = 0) {
  const Generated g = take_apart(name);
  if (!g.is || g.inner.empty() || nesting > kMaxNesting) return {std::string(name), "", ""};
  if (g.rest.empty() || g.rest == "$") return readable_member(g.inner, nesting + 1);  // top-level statements
  if (starts_with(g.rest, "b__")) {
    Readable outer = readable_member(g.inner, nesting + 1);
    outer.lambda += ".(lambda #" + std::string(ordinal(g.rest)) + ")";
    return outer;
  }
  if (starts_with(g.rest, "g__")) {
    Readable outer = readable_member(g.inner, nesting + 1);
    outer.path += outer.lambda + "." + std::string(g.rest.substr(3, g.rest.find('|') - 3));
    outer.tags = "local";
    outer.lambda.clear();
    return outer;
  }
  return {std::string(name), "", ""};
}

bool is_state_machine(std::string_view segment) {
  const Generated g = take_apart(segment);
  return g.is && !g.inner.empty() && (g.rest == "d" || starts_with(g.rest, "d__"));
}
bool is_closure(std::string_view segment) {
  const Generated g = take_apart(segment);
  return g.is && g.inner.empty() && (g.rest == "c" || starts_with(g.rest, "c__"));
}

// What is shown of a type the compiler made and that stays in the name.
std::string readable_owner(const TypeSegment& segment) {
  const Generated g = take_apart(segment.name);
  if (!g.is) return readable_segment(segment);
  if (is_closure(segment.name)) return "(closure)";
  if (g.inner.empty() && starts_with(g.rest, "f__AnonymousType")) {
    return "(anonymous type #" + std::string(g.rest.substr(16)) + ")";
  }
  // file-local: <File>F<hash>__Name
  const size_t name = g.rest.find("__");
  if (starts_with(g.rest, "F") && name != std::string_view::npos && name > 32) {
    TypeSegment visible = segment;
    visible.name = g.rest.substr(name + 2);
    return readable_segment(visible);
  }
  return is_state_machine(segment.name) ? readable_member(g.inner).path : readable_segment(segment);
}

std::string owner_path(const TypeName& type) {
  std::string out(type.name_space);
  for (const TypeSegment& segment : type.segments) {
    const std::string name = readable_owner(segment);
    if (name.empty()) continue;
    if (!out.empty()) out += '.';
    out += name;
  }
  return out;
}

std::string arguments_of(const std::vector<std::string_view>& arguments) {
  return arguments.empty() ? "" : "<" + short_types(arguments) + ">";
}

std::string compiler_made(const Method& method) {
  TypeName type = parse_type(method.type);
  const NameAndArguments own = split_arguments(method.method);
  std::vector<std::string_view> arguments;
  if (!own.arguments.empty()) arguments = split_outside_brackets(own.arguments, ',');
  std::string_view member = own.name;
  std::string parameters = short_types(method.parameters);
  std::string_view machine;

  // Arguments of a state machine or closure are those of the method it was made from.
  const auto leave_last_segment = [&type, &arguments] {
    const TypeSegment& last = type.segments.back();
    if (arguments.empty()) arguments = last.arguments;
    type.segments.pop_back();
  };
  if (type.segments.size() > 1 && is_state_machine(type.segments.back().name) && member == "MoveNext") {
    member = take_apart(type.segments.back().name).inner;
    machine = (method.flags & static_cast<uint32_t>(MethodFlag::kIterator)) != 0 ? "iterator" : "async";
    parameters = "…";
    leave_last_segment();
  }
  if (take_apart(member).is || !machine.empty()) {
    while (type.segments.size() > 1 && is_closure(type.segments.back().name)) leave_last_segment();
  }

  Readable readable = readable_member(member);
  if (!machine.empty()) readable.tag(machine);
  std::string out = owner_path(type);
  if (!out.empty()) out += '.';
  out += readable.path + arguments_of(arguments) + readable.lambda;
  if (readable.lambda.empty()) out += "(" + parameters + ")";
  if (!readable.tags.empty()) out += " [" + readable.tags + "]";
  return out;
}

// Source: coreclr vm/ilstubresolver.cpp, ILStubResolver::GetStubMethodName.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kStubs{{
    {"IL_STUB_PInvoke", "P/Invoke stub"},
    {"IL_STUB_ReversePInvoke", "reverse P/Invoke stub"},
    {"IL_STUB_StructMarshal", "struct marshalling stub"},
    {"IL_STUB_Array", "array access stub"},
    {"IL_STUB_UnboxingStub", "unboxing stub"},
    {"IL_STUB_InstantiatingStub", "instantiating stub"},
    {"IL_STUB_MulticastDelegate_Invoke", "multicast delegate stub"},
    {"IL_STUB_TailCallStoreArgs", "tail call stub"},
    {"IL_STUB_TailCallCallTarget", "tail call stub"},
}};

std::string stub_name(std::string_view name) {
  for (const auto& [raw, readable] : kStubs) {
    if (name == raw) return "[" + std::string(readable) + "]";
  }
  constexpr std::string_view kPrefix = "IL_STUB_";
  if (starts_with(name, kPrefix)) name.remove_prefix(kPrefix.size());
  std::string words(name);
  for (char& c : words) c = c == '_' ? ' ' : c;
  return "[" + words + " stub]";
}

}  // namespace

std::string readable_name(const Method& method) {
  if (starts_with(method.method, "IL_STUB_")) return stub_name(method.method);
  if (method.type.empty() || method.type == "dynamicClass") {
    return method.method + "(" + short_types(method.parameters) + ") [dynamic]";
  }
  return compiler_made(method);
}

std::string raw_name(const Method& method) {
  return (method.type.empty() ? "" : method.type + ".") + method.method + "(" + method.parameters + ")";
}

}  // namespace walkabout::profile
