// Gives each distinct stack one id: stacks are paths in a tree whose nodes are (parent, frame), root end
// first; only nodes never seen before have to be written. One thread (the spooler).
#pragma once

#include <cstdint>

#include "agent/shared/pages.h"
#include "base/ids.h"
#include "wire/frame.h"

namespace walkabout::agent {

class StackTree {
 public:
  // A recording begins a new tree before one has more nodes: at most 16 MiB (24 while it grows).
  static constexpr uint32_t kMostNodes = 1u << 19;

  StackTree();
  // Forgets all nodes; ids begin anew. Keeps the memory that as many would need again.
  void clear();
  // The node of `frame` called from `parent`; *fresh says whether it is new.
  base::StackId child(base::StackId parent, wire::Frame frame, bool* fresh);
  uint32_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t frame;
    uint32_t parent;
    uint32_t node;  // 0 = empty
  };
  void grow();
  PagedArray<Slot> slots_;  // open addressing, power of two, at most half full
  uint32_t size_ = 0;
};

}  // namespace walkabout::agent
