#include "profile/model/inline_table.h"

#include <algorithm>

namespace walkabout::profile {
namespace {

constexpr size_t kDeepest = 1000;  // calls in each other that are shown; the compiler makes about 20

}  // namespace

// A foreign recording may say anything. A parent's number is below its own, so that there is no circle.
bool InlineTable::fits_together(const wire::InlineTree& tree) {
  const size_t calls = tree.method.size();
  if (tree.parent.size() != calls || (!tree.site.empty() && tree.site.size() != calls)) return false;
  if (tree.node.size() != tree.native.size() || tree.il.size() != tree.native.size()) return false;
  for (size_t i = 0; i < calls; ++i) {
    if (tree.parent[i] > i + 1 || tree.method[i] > UINT32_MAX) return false;
  }
  return std::is_sorted(tree.native.begin(), tree.native.end()) &&
         std::all_of(tree.node.begin(), tree.node.end(), [calls](uint64_t node) { return node <= calls; });
}

bool InlineTable::add(const wire::InlineTree& tree) {
  if (!fits_together(tree)) return false;
  Tree& known = trees_[tree.code] = {{}, tree.parent, tree.native, tree.node};
  for (size_t i = 0; i < tree.method.size(); ++i) {
    const uint64_t number = i + 1;
    known.calls.push_back({base::MethodId(static_cast<uint32_t>(tree.method[i])),
                           static_cast<uint32_t>(number), tree.parent[i] != number,
                           tree.site.empty() ? 0 : tree.site[i]});
  }
  return true;
}

std::vector<InlinedCall> InlineTable::calls(base::CodeId code, uint32_t at) const {
  const auto found = trees_.find(code);
  if (found == trees_.end()) return {};
  const Tree& tree = found->second;
  const auto after = std::upper_bound(tree.native.begin(), tree.native.end(), uint64_t{at});
  if (after == tree.native.begin()) return {};
  std::vector<InlinedCall> calls;
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
