// The tree of display frames while it grows: one node per (parent, frame). One thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace walkabout::profile {

class Tree {
 public:
  Tree() : nodes_(1) {}
  // The node of `frame` called by `parent`, made if it is new.
  uint32_t child(uint32_t parent, uint32_t frame) {
    const uint64_t key = uint64_t{parent} << 32 | frame;
    const auto [it, added] = children_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
    if (added) nodes_.push_back({parent, frame});
    return it->second;
  }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::vector<Node> take() && { return std::move(nodes_); }

 private:
  std::vector<Node> nodes_;  // the root first
  std::unordered_map<uint64_t, uint32_t> children_;
};

// The children of every node as linked lists; the root's list has no frame of its own.
class ChildLists {
 public:
  static constexpr uint32_t kNone = 0;  // the root is nobody's child
  explicit ChildLists(const std::vector<Node>& nodes) : first_(nodes.size()), next_(nodes.size()) {
    for (size_t i = nodes.size(); i-- > 1;) {
      next_[i] = first_[nodes[i].parent];
      first_[nodes[i].parent] = static_cast<uint32_t>(i);
    }
  }
  uint32_t first(uint32_t node) const { return first_[node]; }
  uint32_t next(uint32_t node) const { return next_[node]; }

 private:
  std::vector<uint32_t> first_;
  std::vector<uint32_t> next_;
};

}  // namespace walkabout::profile
