#include "agent/trace/open_calls.h"

#include <cstddef>
#include <cstring>

#include "agent/trace/trace_pages.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kNumberBits = 17, kIdentityBits = 26;
constexpr uint64_t kNumberMask = (1u << kNumberBits) - 1;

uint64_t key_of(uint32_t method, uint32_t identity) {
  const uint64_t low = identity & ((1u << kIdentityBits) - 1);
  return (uint64_t{method} << kIdentityBits | low) << kNumberBits;
}

uint64_t first_slot(uint64_t key) { return (key * 0x9E3779B97F4A7C15u >> 40) & ~uint64_t{7}; }

}  // namespace

bool OpenCalls::reserve() {
  if (slots_ != nullptr) return true;
  if (calls_ == nullptr) calls_ = static_cast<OpenCall*>(reserve_trace_pages((kMost + 1) * sizeof(OpenCall)));
  if (next_ == nullptr)
    next_ = static_cast<std::atomic<uint32_t>*>(reserve_trace_pages((kMost + 1) * sizeof(uint32_t)));
  if (calls_ == nullptr || next_ == nullptr) return false;
  slots_ = static_cast<std::atomic<uint64_t>*>(reserve_trace_pages(kSlots * sizeof(uint64_t)));
  if (slots_ != nullptr) free_.init(next_, kMost);
  return slots_ != nullptr;
}

void OpenCalls::clear() {
  if (slots_ == nullptr) return;
  clear_trace_pages(slots_, kSlots * sizeof(uint64_t));
  clear_trace_pages(calls_, (kMost + 1) * sizeof(OpenCall));
  free_.init(next_, kMost);
}

uint32_t OpenCalls::take() {
  const uint32_t number = free_.take();
  if (number != 0) std::memset(&calls_[number], 0, offsetof(OpenCall, values));
  return number;
}

void OpenCalls::give_back(uint32_t number) { free_.give_back(number); }

// Both of two that are put at once see each other: each looks again when it stands there.
OpenCalls::Put OpenCalls::put(uint32_t number, uint32_t method, uint32_t identity) {
  const uint64_t key = key_of(method, identity), first = first_slot(key), value = key | number;
  std::atomic<uint64_t>* mine = nullptr;
  for (uint64_t i = 0; i < kLook && mine == nullptr; ++i) {
    std::atomic<uint64_t>& slot = slots_[(first + i) % kSlots];
    uint64_t free = 0;
    if (slot.load(std::memory_order_relaxed) == 0 && slot.compare_exchange_strong(free, value)) mine = &slot;
  }
  if (mine == nullptr) return Put::kNoRoom;
  bool ambiguous = false;
  for (uint64_t i = 0; i < kLook; ++i) {
    std::atomic<uint64_t>& slot = slots_[(first + i) % kSlots];
    uint64_t other = slot.load();
    if (&slot == mine || other == 0 || ((other & ~kAmbiguousBit) ^ value) > kNumberMask) continue;
    slot.compare_exchange_strong(other, other | kAmbiguousBit);
    ambiguous = true;
  }
  if (!ambiguous) return Put::kDone;
  uint64_t own = value;
  mine->compare_exchange_strong(own, value | kAmbiguousBit);
  return Put::kAmbiguous;
}

uint32_t OpenCalls::find(uint32_t method, uint32_t identity) {
  const uint64_t key = key_of(method, identity), first = first_slot(key);
  for (uint64_t i = 0; i < kLook; ++i) {
    std::atomic<uint64_t>& slot = slots_[(first + i) % kSlots];
    uint64_t value = slot.load(std::memory_order_acquire);
    if ((value ^ key) > kNumberMask || value == 0) continue;  // also what is ambiguous
    if (slot.compare_exchange_strong(value, 0, std::memory_order_acq_rel))
      return static_cast<uint32_t>(value & kNumberMask);
  }
  return 0;
}

uint32_t OpenCalls::waiting_at(uint32_t slot) const {
  return static_cast<uint32_t>(slots_[slot].load(std::memory_order_acquire) & kNumberMask);
}

}  // namespace walkabout::agent
