#include "agent/core/inline_tree.h"

#include <vector>

#include "clr/events/inlining.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kNotKnown = UINT32_MAX;
constexpr uint32_t kNoOffset = UINT32_MAX;

struct Node {
  uint32_t parent = kNotKnown;
  uint32_t number = 0;  // in the record; 0: it is left out
  bool used = false;
};

// .NET 8 leaves out the links behind a call that could not be inlined: the parent of a call is not known
// then.
bool find_parents(const clr::InlinedCode& code, std::vector<Node>& nodes) {
  for (uint32_t i = 0; i < code.nodes(); ++i) {
    for (uint32_t child = code.node(i).child; child != 0; child = code.node(child).sibling) {
      if (child <= i || child >= code.nodes() || nodes[child].parent != kNotKnown) return false;
      nodes[child].parent = i;
    }
  }
  return true;
}

bool find_used(const clr::InlinedCode& code, std::vector<Node>& nodes) {
  for (uint32_t i = 0; i < code.mappings(); ++i) {
    const uint32_t node = code.mapping(i).node;
    if (node >= code.nodes()) return false;
    nodes[node].used = true;
  }
  for (uint32_t i = code.nodes(); i-- > 1;) {
    if (nodes[i].used && nodes[i].parent != kNotKnown) nodes[nodes[i].parent].used = true;
  }
  return true;
}

void add_calls(const clr::InlinedCode& code, bool sites, std::vector<Node>& nodes, wire::InlineTree& tree) {
  for (uint32_t i = 1; i < code.nodes(); ++i) {
    if (!nodes[i].used) continue;
    const clr::InlineNode said = code.node(i);
    tree.method.push_back(said.method);
    nodes[i].number = static_cast<uint32_t>(tree.method.size());
    const bool known = nodes[i].parent != kNotKnown;
    tree.parent.push_back(known ? nodes[nodes[i].parent].number : nodes[i].number);
    if (sites) tree.site.push_back(known && said.site != kNoOffset ? uint64_t{said.site} + 1 : 0);
  }
}

// Of two of one place the second counts: the first one's code is gone.
bool add_code(const clr::InlinedCode& code, const std::vector<Node>& nodes, wire::InlineTree& tree) {
  for (uint32_t i = 0; i < code.mappings(); ++i) {
    const clr::InlineMapping said = code.mapping(i);
    if (!tree.native.empty() && said.native < tree.native.back()) return false;
    if (!tree.native.empty() && said.native == tree.native.back()) {
      tree.native.pop_back();
      tree.node.pop_back();
      tree.il.pop_back();
    }
    const uint32_t number = nodes[said.node].number;
    // The method's own code has an IL map.
    if (number == 0 && !tree.node.empty() && tree.node.back() == 0) continue;
    tree.native.push_back(said.native);
    tree.node.push_back(number);
    tree.il.push_back(number == 0 || said.il == kNoOffset ? wire::kIlNone : wire::kIlFirst + said.il);
  }
  return true;
}

}  // namespace

std::optional<wire::InlineTree> inline_tree(std::span<const uint8_t> data, base::CodeId code, bool sites) {
  clr::InlinedCode said;
  if (!clr::InlinedCode::parse(data, &said)) return std::nullopt;
  std::vector<Node> nodes(said.nodes());
  wire::InlineTree tree;
  tree.code = code;
  if (!find_parents(said, nodes) || !find_used(said, nodes)) return std::nullopt;
  add_calls(said, sites, nodes, tree);
  if (!add_code(said, nodes, tree)) return std::nullopt;
  return tree;
}

}  // namespace walkabout::agent
