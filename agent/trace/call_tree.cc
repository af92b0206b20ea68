#include "agent/trace/call_tree.h"

#include <algorithm>

#include "agent/trace/trace_pages.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kMostTreeProbes = 256;

uint64_t place_of(uint32_t parent, uint32_t method) {
  uint64_t hash = (uint64_t{parent} << 32 | method) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 29;
  return hash * 0xBF58476D1CE4E5B9u >> 20;
}

}  // namespace

bool CallTree::reserve() {
  if (slots_ != nullptr) return true;
  if (nodes_ == nullptr) nodes_ = static_cast<Node*>(reserve_trace_pages((kMostNodes + 1) * sizeof(Node)));
  if (nodes_ == nullptr) return false;
  slots_ = static_cast<std::atomic<uint32_t>*>(reserve_trace_pages(kSlots * sizeof(uint32_t)));
  return slots_ != nullptr;
}

void CallTree::clear() {
  if (slots_ == nullptr) return;
  clear_trace_pages(slots_, kSlots * sizeof(uint32_t));
  clear_trace_pages(nodes_, (kMostNodes + 1) * sizeof(Node));
  used_.store(0);
  size_ = 0;
}

uint32_t CallTree::above(uint32_t node, uint32_t method) const {
  while (node != 0 && this->method(node) != method) node = parent(node);
  return node;
}

uint32_t CallTree::add(uint32_t parent, uint32_t method) {
  uint32_t used = used_.load(std::memory_order_relaxed);
  do {
    if (used >= kMostNodes) return 0;
  } while (!used_.compare_exchange_weak(used, used + 1, std::memory_order_relaxed));
  Node& node = nodes_[used + 1];
  node.parent.store(parent, std::memory_order_relaxed);
  node.depth.store(nodes_[parent].depth.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  node.method.store(method + 1, std::memory_order_release);
  return used + 1;
}

// Two threads that add the same one at once: the second's id stays a node that nothing was ever called in.
CallTree::Found CallTree::find_or_add(uint32_t parent, uint32_t method) {
  if (nodes_[parent].depth.load(std::memory_order_relaxed) >= kMostDepth)
    if (const uint32_t node = above(parent, method); node != 0) return {node, true};
  const uint64_t place = place_of(parent, method);
  uint32_t added = 0;
  for (uint32_t i = 0; i < kMostTreeProbes; ++i) {
    std::atomic<uint32_t>& slot = slots_[(place + i) % kSlots];
    uint32_t id = slot.load(std::memory_order_acquire);
    if (id == 0) {
      if (added == 0) added = add(parent, method);
      if (added == 0) break;
      if (slot.compare_exchange_strong(id, added, std::memory_order_acq_rel)) return {added, false};
    }
    if (this->parent(id) == parent && this->method(id) == method) return {id, false};
  }
  const uint32_t node = above(parent, method);
  return {node, node != 0};
}

uint32_t CallTree::size() {
  const uint32_t used = std::min(used_.load(std::memory_order_acquire), kMostNodes);
  while (size_ < used && nodes_[size_ + 1].method.load(std::memory_order_acquire) != 0) ++size_;
  return size_;
}

}  // namespace walkabout::agent
