// The call tree of all threads: nodes that are only added while a recording runs. A node stands for its
// method called by the parent's. Memory is reserved once and there as long as the process lives.
//
// find_or_add() from a probe, of any thread; the rest: who emits. Threads that add when a recording begins or
// ends are waited for by who does that (ThreadTrace::busy).
#pragma once

#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class CallTree {
 public:
  static constexpr uint32_t kMostNodes = 1u << 20;
  // A call deeper than that counts in the node of its method that is nearest above it, where there is one: a
  // recursion that goes deep has not a node for each level.
  static constexpr uint32_t kMostDepth = 512;

  struct Found {
    uint32_t node = 0;    // 0: there is no room
    bool folded = false;  // it is one of those above
  };

  // False: there is no memory. Again: nothing.
  bool reserve();
  // Forgets all nodes. REQUIRES: nobody is in find_or_add().
  void clear();

  // parent 0: called by none.
  Found find_or_add(uint32_t parent, uint32_t method);
  uint32_t method(uint32_t node) const { return nodes_[node].method.load(std::memory_order_relaxed) - 1; }
  uint32_t parent(uint32_t node) const { return nodes_[node].parent.load(std::memory_order_relaxed); }
  // How many may be read: 1 to that.
  uint32_t size();

 private:
  struct Node {
    std::atomic<uint32_t> parent;
    std::atomic<uint32_t> depth;
    std::atomic<uint32_t> method;  // and 1; written last, release, partner: size()
  };
  static constexpr uint32_t kSlots = kMostNodes * 2;

  uint32_t above(uint32_t node, uint32_t method) const;
  uint32_t add(uint32_t parent, uint32_t method);

  Node* nodes_ = nullptr;                   // by id
  std::atomic<uint32_t>* slots_ = nullptr;  // ids, by a hash of parent and method; release, partner: find
  std::atomic<uint32_t> used_{0};           // ids given out
  uint32_t size_ = 0;
};

}  // namespace walkabout::agent
