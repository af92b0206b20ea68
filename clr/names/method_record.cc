#include "clr/names/method_record.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace walkabout::clr {
namespace {

// What an accessor and an operator are called, behind the interface of an explicit implementation.
bool is_named_special(std::string_view method) {
  int depth = 0;  // dots of arguments part nothing: "get_Foo<Ns.Point>"
  for (size_t i = method.size(); i-- > 0;) {
    if (method[i] == '>') ++depth;
    if (method[i] == '<') --depth;
    if (method[i] != '.' || depth != 0) continue;
    method.remove_prefix(i + 1);
    break;
  }
  constexpr std::string_view kPrefixes[] = {"get_", "set_", "add_", "remove_", "op_"};
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [method](std::string_view prefix) { return method.starts_with(prefix); });
}

// Conversions of one type differ by what they return.
bool is_conversion(std::string_view method) {
  return method.ends_with("op_Implicit") || method.ends_with("op_Explicit") ||
         method.ends_with("op_CheckedExplicit");
}

}  // namespace

wire::Method method_record(base::MethodId id, MethodName name) {
  wire::Method record;
  record.id = id;
  const bool moves_next = name.method == "MoveNext" && name.returns == "bool";
  if (moves_next) record.flags |= static_cast<uint32_t>(wire::MethodFlag::kIterator);
  if (name.plain_name && is_named_special(name.method))
    record.flags |= static_cast<uint32_t>(wire::MethodFlag::kPlainName);
  if (is_conversion(name.method)) record.returns = std::move(name.returns);
  record.type = std::move(name.type);
  record.method = std::move(name.method);
  record.parameters = std::move(name.parameters);
  record.module = std::move(name.module);
  if (name.dynamic) record.flags |= static_cast<uint32_t>(wire::MethodFlag::kDynamic);
  if (name.il_stub) record.flags |= static_cast<uint32_t>(wire::MethodFlag::kIlStub);
  return record;
}

wire::CountedMethod counted_method_record(uint32_t index, MethodName name) {
  wire::Method method = method_record(base::MethodId(1), std::move(name));
  wire::CountedMethod record;
  record.index = index;
  record.flags = method.flags;
  record.type = std::move(method.type);
  record.method = std::move(method.method);
  record.parameters = std::move(method.parameters);
  record.returns = std::move(method.returns);
  record.module = std::move(method.module);
  return record;
}

}  // namespace walkabout::clr
