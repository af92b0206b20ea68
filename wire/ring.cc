#include "wire/ring.h"

#include <cstring>

#include "base/hot.h"

namespace walkabout::wire {
namespace {

constexpr uint32_t kRecordAlign = 8;  // of indexes and sizes: there is always room for a record's first word

}  // namespace

WALKABOUT_HOT uint8_t* Producer::begin(uint32_t max_size) {
  const uint64_t size = slot_->ring_size;
  const uint64_t head = slot_->head.load(std::memory_order_relaxed);
  const uint64_t tail = slot_->tail.load(std::memory_order_acquire);  // partner: Consumer::release()
  const uint64_t offset = head & (size - 1);
  const uint64_t to_end = size - offset;
  const uint64_t pad = to_end < max_size ? to_end : 0;
  if (max_size > size || size - (head - tail) < pad + max_size || head % kRecordAlign != 0) return nullptr;
  if (pad != 0) {
    // Records are multiples of 8, so there is always room for the first word, which is all a filler needs.
    uint8_t* p = ring_ + offset;
    const uint32_t filler = static_cast<uint32_t>(pad);
    std::memcpy(p, &filler, sizeof filler);
    p[4] = static_cast<uint8_t>(RawType::kPad);
  }
  at_ = head + pad;
  return ring_ + (at_ & (size - 1));
}

WALKABOUT_HOT void Producer::commit(uint32_t size) {
  slot_->head.store(at_ + size, std::memory_order_release);  // partner: Consumer::next()
}

const RawSample* Consumer::next() {
  for (;;) {
    const uint64_t head = slot_->head.load(std::memory_order_acquire);  // partner: Producer::commit()
    if (head == at_) return nullptr;
    // From anywhere else than a record's place, even the first word might lie across the ring's end.
    if ((head | at_) % kRecordAlign != 0) {
      drop_all(head);
      return nullptr;
    }
    const uint64_t used = head - at_;
    const uint64_t offset = at_ & (ring_size_ - 1);
    uint32_t size = 0;
    std::memcpy(&size, ring_ + offset, sizeof size);
    const auto type = static_cast<RawType>(ring_[offset + 4]);
    if (used > ring_size_ || size < kRecordAlign || size % kRecordAlign != 0 || size > used ||
        size > ring_size_ - offset) {
      drop_all(head);
      return nullptr;
    }
    next_at_ = at_ + size;
    if (type == RawType::kPad) {
      pass();
      continue;
    }
    const auto* sample = reinterpret_cast<const RawSample*>(ring_ + offset);
    if (type != RawType::kSample || size < sizeof(RawSample) ||
        (uint64_t{sample->frames} + sample->clr_frames) * 8 + sizeof(RawSample) > size) {
      drop_all(head);
      return nullptr;
    }
    sample_given_ = true;
    return sample;
  }
}

void Consumer::pass() {
  if (sample_given_) slot_->taken.fetch_add(1, std::memory_order_relaxed);
  sample_given_ = false;
  at_ = next_at_;
}

void Consumer::leave() {
  sample_given_ = false;
  next_at_ = at_;
}

void Consumer::release() {
  pass();
  slot_->tail.store(at_, std::memory_order_release);  // partner: Producer::begin()
}

void Consumer::drop_all(uint64_t head) {
  auto& corrupt = slot_->drops[static_cast<size_t>(DropCause::kCorrupt)];
  const uint64_t gone =
      slot_->taken.load(std::memory_order_relaxed) + corrupt.load(std::memory_order_relaxed);
  const uint64_t written = slot_->samples.load(std::memory_order_relaxed);
  corrupt.fetch_add(written > gone ? written - gone : 0, std::memory_order_relaxed);
  at_ = next_at_ = head;
  slot_->tail.store(head, std::memory_order_release);
}

}  // namespace walkabout::wire
