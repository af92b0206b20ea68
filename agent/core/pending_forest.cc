#include "agent/core/pending_forest.h"

#include <algorithm>
#include <bit>

#include "base/table_place.h"

namespace walkabout::agent {
namespace {

// By address.
class Index {
 public:
  explicit Index(std::span<const PendingOperation> all)
      : all_(all), slots_(std::bit_ceil(std::max<size_t>(2 * all.size(), 2))) {
    for (size_t i = 0; i < all.size(); ++i) {
      size_t at = place(all[i].box);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<uint32_t>(i + 1);
    }
  }
  uint32_t find(uint64_t box) {
    if (box == 0) return PendingForest::kNone;
    for (size_t at = place(box); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (all_[slots_[at] - 1].box == box) return slots_[at] - 1;
    }
    return PendingForest::kNone;
  }

 private:
  size_t place(uint64_t box) const { return base::table_place(box, slots_.size()); }
  std::span<const PendingOperation> all_;
  PagedArray<uint32_t> slots_;  // place in all_ + 1; 0: free
};

}  // namespace

PendingForest::PendingForest(std::span<const PendingOperation> all)
    : all_(all),
      awaiter_(std::max<size_t>(all.size(), 1)),
      nodes_(std::max<size_t>(all.size(), 1)),
      below_(std::max<size_t>(all.size(), 1)),
      awaits_(std::max<size_t>(all.size(), 1)) {
  Index index(all);
  for (size_t i = 0; i < all.size(); ++i) {
    awaiter_[i] = index.find(all[i].awaiter);
    if (awaiter_[i] != kNone) awaits_[awaiter_[i]] = 1;
  }
}

}  // namespace walkabout::agent
