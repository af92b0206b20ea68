#include "profile/names/dynamic_name.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

constexpr std::string_view kStubPrefix = "IL_STUB_";
constexpr std::string_view kDecimals = "0123456789";

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
    if (name == raw) return std::string(readable);
  }
  name.remove_prefix(kStubPrefix.size());
  std::string words(name);
  for (char& c : words) c = c == '_' ? ' ' : c;
  return words + " stub";
}

// Recordings of earlier agents have the runtime's own text where a type is known by its address alone:
// "pMT: 0x7f20  (pMT: 0x7f10,class System.Object)". Its parameters.
std::string_view within_signature(std::string_view parameters) {
  if (parameters.find("pMT: ") == std::string_view::npos || parameters.empty() || parameters.back() != ')')
    return parameters;
  const size_t open = parameters.find("  (");
  return open == std::string_view::npos ? parameters
                                        : parameters.substr(open + 3, parameters.size() - open - 4);
}

std::vector<std::string> types_of(std::string_view parameters, bool more) {
  std::vector<std::string> out;
  parameters = trim(within_signature(parameters));
  if (parameters.empty()) return out;
  for (const std::string_view type : split_outside_brackets(parameters, ','))
    out.push_back(type.starts_with("pMT: ") ? "?" : more ? whole_type(type) : short_type(type));
  return out;
}

// "Regex7_" of a compiled regular expression's methods. 0: it is none.
size_t regex_prefix(std::string_view name) {
  constexpr std::string_view kRegex = "Regex";
  if (!name.starts_with(kRegex)) return 0;
  const size_t end = name.find_first_not_of(kDecimals, kRegex.size());
  const bool fits = end != std::string_view::npos && end > kRegex.size() && name[end] == '_';
  return fits ? end + 1 : 0;
}

std::string joined(const std::vector<std::string>& types, size_t from) {
  std::string out;
  for (size_t i = from; i < types.size(); ++i) out += (i == from ? "" : ", ") + types[i];
  return out;
}

}  // namespace

bool is_without_type(const wire::Method& method) {
  return method.method.starts_with(kStubPrefix) || method.type.empty() || method.type == "dynamicClass";
}

std::string dynamic_name(const wire::Method& method, bool more) {
  const std::vector<std::string> types = types_of(method.parameters, more);
  if (method.method.starts_with(kStubPrefix))
    return "[" + stub_name(method.method) + (more ? " (" + joined(types, 0) + ")" : "") + "]";
  if (const size_t prefix = regex_prefix(method.method); prefix != 0)
    return method.method.substr(0, prefix - 1) + "." + method.method.substr(prefix) + "(" + joined(types, 0) +
           ") [compiled regex]";
  const bool has_constants = method.method.starts_with("lambda_method") && !types.empty() &&
                             (types[0] == "Closure" || types[0].ends_with(".Closure"));
  return method.method + "(" + joined(types, has_constants ? 1 : 0) + ") [dynamic]";
}

}  // namespace walkabout::profile
