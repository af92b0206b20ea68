#include "clr/names/method_record.h"

#include <utility>

namespace walkabout::clr {

wire::Method method_record(base::MethodId id, MethodName name) {
  wire::Method record;
  record.id = id;
  const bool moves_next = name.method == "MoveNext" && name.returns == "bool";
  if (moves_next) record.flags |= static_cast<uint32_t>(wire::MethodFlag::kIterator);
  record.type = std::move(name.type);
  record.method = std::move(name.method);
  record.parameters = std::move(name.parameters);
  record.module = std::move(name.module);
  if (name.dynamic) record.flags |= static_cast<uint32_t>(wire::MethodFlag::kDynamic);
  if (name.il_stub) record.flags |= static_cast<uint32_t>(wire::MethodFlag::kIlStub);
  return record;
}

}  // namespace walkabout::clr
