#include "agent/shared/rings.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace walkabout::agent {
namespace {

constexpr uint64_t kMostKept = 4 << 20;

}  // namespace

base::Status Rings::begin(uint8_t* memory, uint32_t ring_size, uint64_t monotonic_start_ns) {
  memory_ = memory;
  ring_size_ = ring_size;
  if (base::Status s = commit(0, wire::kSlotHeaderSize); !s.ok()) return s;
  auto* header = new (memory_) wire::RingHeader;
  header->slots = wire::slots_of(ring_size);
  header->ring_size = ring_size;
  header->monotonic_start_ns = monotonic_start_ns;
  return {};
}

base::Status Rings::back(uint32_t index) {
  // It counts against the program's container: better a thread without samples than a program out of memory.
  const uint64_t lanes = uint64_t{callback_lanes_} * ring_size_;
  if (uint64_t{index + 1} * (wire::kSlotHeaderSize + ring_size_) + lanes > wire::kRingBudget) {
    return base::Status::error("all " + std::to_string(wire::kRingBudget >> 20) +
                               " MiB for rings are taken; threads that have one: " + std::to_string(index));
  }
  const uint64_t offset = wire::slot_offset(index, ring_size_);
  if (const auto kept = std::find(kept_.begin(), kept_.end(), index); kept != kept_.end()) {
    kept_.erase(kept);
  } else if (base::Status s = commit(offset, wire::kSlotHeaderSize + ring_size_); !s.ok()) {
    return s;
  }
  auto* header = new (memory_ + offset) wire::SlotHeader;
  header->ring_size = ring_size_;
  used_slots_ = std::max(used_slots_, index + 1);
  return {};
}

// Half of the budget is for the lanes of ticks alone.
base::Status Rings::back_callback_lane(uint32_t index) {
  if (has_callback_lane(index)) return {};
  const uint64_t lanes = uint64_t{callback_lanes_ + 1} * ring_size_;
  const uint64_t slots = uint64_t{used_slots_} * (wire::kSlotHeaderSize + ring_size_);
  if (lanes > wire::kRingBudget / 2 || lanes + slots > wire::kRingBudget)
    return base::Status::error("the memory for rings is taken; threads that have a second one: " +
                               std::to_string(callback_lanes_));
  const uint64_t offset = wire::lane_offset(index, wire::Lane::kCallback, ring_size_);
  if (base::Status s = commit(offset, ring_size_); !s.ok()) return s;
  has_lane_[index].store(true, std::memory_order_release);
  ++callback_lanes_;
  return {};
}

void Rings::give_back(uint32_t index) {
  std::memset(static_cast<void*>(slot(index)), 0, sizeof(wire::SlotHeader));
  kept_.push_back(index);
  const uint64_t size = wire::kSlotHeaderSize + ring_size_;
  const auto lanes = static_cast<uint64_t>(
      std::count_if(kept_.begin(), kept_.end(), [this](uint32_t i) { return has_callback_lane(i); }));
  if (kept_.size() * size + lanes * ring_size_ <= kMostKept) return;
  const uint32_t oldest = kept_.front();
  kept_.pop_front();
  drop(wire::slot_offset(oldest, ring_size_), size);
  if (!has_callback_lane(oldest)) return;
  drop(wire::lane_offset(oldest, wire::Lane::kCallback, ring_size_), ring_size_);
  has_lane_[oldest].store(false, std::memory_order_release);
  --callback_lanes_;
}

base::Status Rings::back_behind_header(uint64_t offset, uint64_t at, uint64_t size) {
  if (size == 0) return commit(offset, wire::kSlotHeaderSize);
  return commit(offset + wire::kSlotHeaderSize + at, size);
}

base::Status Rings::back_notes(uint64_t at, uint64_t size) {
  return back_behind_header(wire::notes_offset(ring_size_), at, size);
}

base::Status Rings::back_text_notes(uint64_t at, uint64_t size) {
  return back_behind_header(wire::text_notes_offset(ring_size_), at, size);
}

}  // namespace walkabout::agent
