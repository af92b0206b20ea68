// Who awaits whom among the async methods that wait, after a walk of the heap (pending_walk.h): from each the
// one that awaits it, and which of them await none of the others: at their awaits the operations stand. Pure;
// one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "agent/core/pending_walk.h"
#include "agent/shared/pages.h"
#include "base/ids.h"

namespace walkabout::agent {

class PendingForest {
 public:
  // REQUIRES: at most PendingWalk::kMost, which outlive this.
  explicit PendingForest(std::span<const PendingOperation> all);

  static constexpr uint32_t kNone = UINT32_MAX;
  // Its place in the list; kNone: nobody awaits it, or it is not among them.
  uint32_t awaiter(size_t i) { return awaiter_[i]; }
  // None of the others is awaited by it.
  bool is_leaf(size_t i) { return awaits_[i] == 0; }

  // The node of each leaf's stack, the outermost method first, each method once.
  // root(operation): the node above one that none of the others awaits; child(parent, operation): its node.
  // each(leaf, its place in the list, node).
  template <typename Root, typename Child, typename Each>
  void name_leaves(Root root, Child child, Each each) {
    for (size_t leaf = 0; leaf < all_.size(); ++leaf) {
      if (is_leaf(leaf)) each(all_[leaf], leaf, node_of(leaf, root, child));
    }
  }

 private:
  template <typename Root, typename Child>
  base::StackId node_of(size_t leaf, Root root, Child child) {
    // Up to one that has a node. next_ leads back down; a circle, which damage may be, is cut open.
    auto at = static_cast<uint32_t>(leaf);
    uint32_t below = kNone;
    while (at != kNone && nodes_[at] == 0) {
      nodes_[at] = kUnderWay;
      below_[at] = below;
      below = at;
      at = awaiter_[at];
      if (at != kNone && nodes_[at] == kUnderWay) at = kNone;
    }
    base::StackId node = at != kNone ? base::StackId(nodes_[at]) : root(all_[below]);
    for (; below != kNone; below = below_[below]) {
      node = child(node, all_[below]);
      nodes_[below] = node.value;
    }
    return node;
  }

  static constexpr uint32_t kUnderWay = UINT32_MAX;
  std::span<const PendingOperation> all_;
  PagedArray<uint32_t> awaiter_, nodes_, below_;
  PagedArray<uint8_t> awaits_;
};

}  // namespace walkabout::agent
