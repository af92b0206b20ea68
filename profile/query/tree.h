// The tree of display frames while it grows: one node per (parent, frame). One thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

class Tree {
 public:
  Tree() : nodes_(1), slots_(kFirstSlots, 0) {}
  // The node of `frame` called by `parent`, made if it is new.
  uint32_t child(uint32_t parent, uint32_t frame) {
    for (size_t slot = hash(parent, frame);; ++slot) {
      uint32_t& at = slots_[slot & (slots_.size() - 1)];
      if (at == 0) return add(parent, frame, at);
      if (nodes_[at].parent == parent && nodes_[at].frame == frame) return at;
    }
  }
  const std::vector<Node>& nodes() const { return nodes_; }
  size_t size() const { return nodes_.size(); }
  std::vector<Node> take() && { return std::move(nodes_); }

 private:
  static constexpr size_t kFirstSlots = 1024;

  static size_t hash(uint32_t parent, uint32_t frame) {
    const uint64_t mixed =
        (uint64_t{parent} << 32 | frame) * 0x9e37'79b9'7f4a'7c15;  // 2^64 / the golden ratio
    return static_cast<size_t>(mixed >> 32);
  }
  uint32_t add(uint32_t parent, uint32_t frame, uint32_t& slot) {
    const auto node = static_cast<uint32_t>(nodes_.size());
    slot = node;
    nodes_.push_back({parent, frame});
    if (nodes_.size() * 2 > slots_.size()) grow();
    return node;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (uint32_t node = 1; node < nodes_.size(); ++node) {
      size_t slot = hash(nodes_[node].parent, nodes_[node].frame);
      while (slots_[slot & (slots_.size() - 1)] != 0) ++slot;
      slots_[slot & (slots_.size() - 1)] = node;
    }
  }

  std::vector<Node> nodes_;  // the root first
  std::vector<uint32_t>
      slots_;  // open addressing, a power of two, at most half full; 0 is empty (the root is no child)
};

// The frames of a node, leaf first.
inline void stack_of(const Profile& profile, uint32_t node, std::vector<uint32_t>& frames) {
  frames.clear();
  for (; node != 0; node = profile.nodes[node].parent) frames.push_back(profile.nodes[node].frame);
}

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
