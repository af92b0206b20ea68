#include "agent/trace/kept_calls.h"

#include <cstring>

namespace walkabout::agent {

void KeptCalls::clear() {
  written_.store(0);
  read_.store(0);
  lost_.store(0);
  count_.store(0);
}

// One that does not fit before the ring's end begins at its beginning; a size of 0 says so.
bool KeptCalls::has_room(uint32_t value_bytes) const {
  const uint64_t written = written_.load(std::memory_order_relaxed);
  const uint32_t size = size_of(value_bytes), end = to_end(written);
  const uint64_t used = written - read_.load(std::memory_order_acquire);
  return used + size + (size > end ? end : 0) <= kBytes;
}

void KeptCalls::put(KeptCall call, const uint8_t* values) {
  uint64_t written = written_.load(std::memory_order_relaxed);
  const uint32_t size = size_of(call.value_bytes), end = to_end(written);
  if (size > end) {
    const uint32_t none = 0;
    std::memcpy(ring_ + written % kBytes, &none, sizeof none);
    written += end;
  }
  call.bytes = size;
  uint8_t* at = ring_ + written % kBytes;
  std::memcpy(at, &call, sizeof call);
  if (call.value_bytes != 0) std::memcpy(at + sizeof call, values, call.value_bytes);
  count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  written_.store(written + size, std::memory_order_release);
}

const KeptCall* KeptCalls::next(std::span<const uint8_t>* values) {
  uint64_t read = read_.load(std::memory_order_relaxed);
  const uint64_t written = written_.load(std::memory_order_acquire);
  if (read == written) return nullptr;
  const auto* call = reinterpret_cast<const KeptCall*>(ring_ + read % kBytes);
  if (call->bytes == 0) {
    read += to_end(read);
    read_.store(read, std::memory_order_release);
    if (read == written) return nullptr;
    call = reinterpret_cast<const KeptCall*>(ring_);
  }
  *values = {reinterpret_cast<const uint8_t*>(call + 1), call->value_bytes};
  return call;
}

void KeptCalls::drop_next() {
  const uint64_t read = read_.load(std::memory_order_relaxed);
  const auto* call = reinterpret_cast<const KeptCall*>(ring_ + read % kBytes);
  read_.store(read + call->bytes, std::memory_order_release);
}

}  // namespace walkabout::agent
