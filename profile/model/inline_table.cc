#include "profile/model/inline_table.h"

#include <algorithm>

namespace walkabout::profile {
namespace {

constexpr size_t kDeepest = 1000;  // calls in each other that are shown; the compiler makes about 20

}  // namespace

void InlineTable::add(base::CodeId code, const wire::InlineColumns& columns) {
  Tree& known = trees_[code] = {{}, columns.parent, columns.native, columns.node};
  for (size_t i = 0; i < columns.method.size(); ++i) {
    const uint64_t number = i + 1;
    known.calls.push_back({base::MethodId(static_cast<uint32_t>(columns.method[i])),
                           static_cast<uint32_t>(number), columns.parent[i] != number, columns.site[i]});
  }
}

std::vector<InlinedCall> InlineTable::calls(base::CodeId code, uint32_t at) const {
  const auto found = trees_.find(code);
  if (found == trees_.end()) return {};
  const Tree& tree = found->second;
  const auto after = std::upper_bound(tree.native.begin(), tree.native.end(), uint64_t{at});
  if (after == tree.native.begin()) return {};
  std::vector<InlinedCall> calls;
  // A parent's number is below its own: there is no circle.
  uint64_t number = tree.node[static_cast<size_t>(after - tree.native.begin()) - 1];
  while (number != 0 && calls.size() < kDeepest) {
    calls.push_back(tree.calls[number - 1]);
    const uint64_t parent = tree.parent[number - 1];
    number = parent == number ? 0 : parent;
  }
  std::reverse(calls.begin(), calls.end());
  return calls;
}

}  // namespace walkabout::profile
