// From the stacks of a recording (StackIds) to nodes of the display tree. One thread.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profile/model/profile.h"
#include "profile/names/frame_namer.h"
#include "profile/query/tree.h"
#include "wire/frame.h"

namespace walkabout::profile {

// The stacks as the recording says them, one tree of them after the other; entry 0 stands for "no stack".
struct RawStacks {
  std::vector<uint32_t> parent;
  std::vector<wire::Frame> frame;
  uint32_t before_tree = 0;  // entries of the trees before the one under way
  // Async stacks: so many frames of a stack, from its leaf, called by those who await.
  struct Logical {
    uint32_t stack = 0, joint = 0, awaiter = 0;
    auto operator<=>(const Logical&) const = default;
  };
  std::vector<Logical> logical;  // each once
  std::map<Logical, uint32_t> logical_numbers;

  // A number for it, among those of the stacks.
  uint32_t add_logical(const Logical& one) {
    const auto [at, added] = logical_numbers.try_emplace(one, static_cast<uint32_t>(logical.size()));
    if (added) logical.push_back(one);
    return kLogical | at->second;
  }
  static constexpr uint32_t kLogical = uint32_t{1} << 31;

  void add(const wire::Nodes& r) {
    if (r.new_tree) before_tree = static_cast<uint32_t>(frame.size() - 1);
    for (const uint32_t id : r.parent) parent.push_back(entry(id));
    frame.insert(frame.end(), r.frame.begin(), r.frame.end());
  }
  // Of a node of the tree under way.
  uint32_t entry(uint32_t id) const { return id == 0 ? 0 : before_tree + id; }
};

class StackMap {
 public:
  // REQUIRES: parents come before children. Keeps references: all outlive this. Nodes are added to `tree`.
  StackMap(const RawStacks& stacks, FrameNamer& namer, Tree& tree);

  // The display node of a stack whose walk ended so. Walks that did not reach the thread's entry are put
  // under a marker that says why, so that half stacks do not pass for whole ones.
  uint32_t node(uint32_t stack, wire::WalkEnd end);
  // Trait bits of all frames of the stack.
  uint8_t traits(uint32_t stack) const {
    return traits_[is_logical(stack) ? stacks_.logical[stack & ~RawStacks::kLogical].stack : stack];
  }
  // The display frame of a node.
  uint32_t frame(uint32_t node) const { return tree_.nodes()[node].frame; }

 private:
  // The frames of one raw frame in `frames_`.
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Range frames_of(wire::Frame frame, Role role);
  uint32_t extend(uint32_t parent, Range frames);
  uint32_t cut_off_node(uint32_t stack, wire::WalkEnd end);
  static bool is_logical(uint32_t stack) { return (stack & RawStacks::kLogical) != 0; }
  uint32_t logical_node(uint32_t number);
  bool is_plumbing(Range frames) const;

  const RawStacks& stacks_;
  FrameNamer& namer_;
  Tree& tree_;
  std::vector<NamedFrame> frames_;
  std::vector<Range> named_;                        // by StackId
  std::vector<uint32_t> nodes_;                     // by StackId
  std::vector<uint8_t> traits_;                     // by StackId
  std::unordered_map<uint64_t, uint32_t> cut_off_;  // (end, StackId) → node
  std::vector<uint32_t> logical_;                   // by number in RawStacks; 0: not made yet
};

}  // namespace walkabout::profile
