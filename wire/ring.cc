#include "wire/ring.h"

#include <cstring>

#include "base/hot.h"

namespace walkabout::wire {
namespace {

constexpr uint32_t kRecordAlign = 8;  // of indexes and sizes: there is always room for a record's first word

// Whether what the sample says lies behind it does, in a record of this size.
bool fits(const RawSample& sample, uint32_t size) {
  const uint64_t words =
      uint64_t{sample.words_before_frames()} + sample.frames + sample.clr_frames + sample.awaiters;
  return sample.source != 0 && sample.source <= kMostSources && sample.more_values < kMostSampleValues &&
         sample.labels <= kMostSampleLabels && sample.awaiters <= kMostAwaiters &&
         sample.async_joint <= sample.frames && sample.async_unseen <= sample.frames &&
         words * 8 + sizeof(RawSample) <= size;
}

}  // namespace

WALKABOUT_HOT uint8_t* Producer::begin(uint32_t max_size) {
  const uint64_t size = ring_size_;
  const uint64_t head = lane_->head.load(std::memory_order_relaxed);
  const uint64_t tail = lane_->tail.load(std::memory_order_acquire);  // partner: Consumer::release()
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
  lane_->head.store(at_ + size, std::memory_order_release);  // partner: Consumer::next()
}

const RawSample* Consumer::next() {
  for (;;) {
    const uint64_t head = lane_->head.load(std::memory_order_acquire);  // partner: Producer::commit()
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
    if (type != RawType::kSample || size < sizeof(RawSample) || !fits(*sample, size)) {
      drop_all(head);
      return nullptr;
    }
    given_ = base::SourceId(sample->source);
    return sample;
  }
}

void Consumer::pass() {
  if (given_.valid()) lane_->taken[given_.value - 1].fetch_add(1, std::memory_order_relaxed);
  given_ = {};
  at_ = next_at_;
}

void Consumer::leave() {
  given_ = {};
  next_at_ = at_;
}

void Consumer::refuse() {
  if (given_.valid())
    lane_->of(given_).drops[static_cast<size_t>(DropCause::kCorrupt)].fetch_add(1, std::memory_order_relaxed);
  given_ = {};
  at_ = next_at_;
}

void Consumer::release() {
  pass();
  lane_->tail.store(at_, std::memory_order_release);  // partner: Producer::begin()
}

void Consumer::drop_all(uint64_t head) {
  for (size_t i = 0; i < kMostSources; ++i) {
    auto& corrupt = lane_->accounts[i].drops[static_cast<size_t>(DropCause::kCorrupt)];
    const uint64_t gone =
        lane_->taken[i].load(std::memory_order_relaxed) + corrupt.load(std::memory_order_relaxed);
    const uint64_t written = lane_->accounts[i].samples.load(std::memory_order_relaxed);
    corrupt.fetch_add(written > gone ? written - gone : 0, std::memory_order_relaxed);
  }
  given_ = {};
  at_ = next_at_ = head;
  lane_->tail.store(head, std::memory_order_release);
}

}  // namespace walkabout::wire
