#include "profile/names/readable_name.h"

#include <array>
#include <string_view>
#include <utility>

#include "profile/names/generated_name.h"
#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

using wire::Method;
using wire::MethodFlag;

std::string owner_path(const TypeName& type) {
  std::string out(type.name_space);
  for (const TypeSegment& segment : type.segments) {
    const std::string name = readable_segment(segment);
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
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  std::string words(name);
  for (char& c : words) c = c == '_' ? ' ' : c;
  return "[" + words + " stub]";
}

}  // namespace

std::string readable_name(const Method& method) {
  if (method.method.starts_with("IL_STUB_")) return stub_name(method.method);
  if (method.type.empty() || method.type == "dynamicClass") {
    return method.method + "(" + short_types(method.parameters) + ") [dynamic]";
  }
  return compiler_made(method);
}

std::string raw_name(const Method& method) {
  return (method.type.empty() ? "" : method.type + ".") + method.method + "(" + method.parameters + ")";
}

}  // namespace walkabout::profile
