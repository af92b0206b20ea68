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
  header->ring_size = ring_size;
  header->monotonic_start_ns = monotonic_start_ns;
  return {};
}

base::Status Rings::back(uint32_t index) {
  // It counts against the program's container: better a thread without samples than a program out of memory.
  if (uint64_t{index + 1} * (wire::kSlotHeaderSize + ring_size_) > wire::kRingBudget) {
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
  return {};
}

void Rings::give_back(uint32_t index) {
  std::memset(static_cast<void*>(slot(index)), 0, sizeof(wire::SlotHeader));
  kept_.push_back(index);
  const uint64_t size = wire::kSlotHeaderSize + ring_size_;
  if (kept_.size() * size <= kMostKept) return;
  drop(wire::slot_offset(kept_.front(), ring_size_), size);
  kept_.pop_front();
}

base::Status Rings::back_notes(uint64_t at, uint64_t size) {
  const uint64_t offset = wire::notes_offset(ring_size_);
  if (size == 0) return commit(offset, wire::kSlotHeaderSize);
  return commit(offset + wire::kSlotHeaderSize + at, size);
}

}  // namespace walkabout::agent
