// Slow calls of one thread on their way to who emits: a ring of one writer and one reader.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

namespace walkabout::agent {

struct KeptCall {
  uint32_t bytes = 0;  // with the values behind it, of the ring
  uint32_t call = 0;
  uint32_t caller = 0;
  uint32_t node = 0;
  uint64_t begin = 0;  // of the clock; what follows in ticks
  uint64_t wall = 0;
  uint64_t off = 0;  // of it, that the thread did not run
  uint64_t waiting = 0;
  uint32_t thread = 0;
  uint32_t ended_in = 0;
  uint32_t value_bytes = 0;
  uint32_t outcome = 0;  // wire::CallOutcome
  uint64_t knows_off = 0;
};
static_assert(sizeof(KeptCall) % 8 == 0);

class KeptCalls {
 public:
  static constexpr uint32_t kBytes = 128 << 10;

  void init(uint8_t* ring) { ring_ = ring; }
  // Forgets all. REQUIRES: neither of the two is at it.
  void clear();

  // The writer: whether there is room, and puts one there.
  bool has_room(uint32_t value_bytes) const;
  // REQUIRES: has_room() of the same.
  void put(KeptCall call, const uint8_t* values);
  void count_lost() { lost_.store(lost_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  // The reader: the next one and its values, which stay until drop_next(). Null: none.
  const KeptCall* next(std::span<const uint8_t>* values);
  void drop_next();
  // Since clear().
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  static uint32_t size_of(uint32_t value_bytes) {
    return static_cast<uint32_t>(sizeof(KeptCall)) + (value_bytes + 7) / 8 * 8;
  }
  uint32_t to_end(uint64_t position) const { return kBytes - static_cast<uint32_t>(position % kBytes); }

  uint8_t* ring_ = nullptr;
  std::atomic<uint64_t> written_{0};  // release, partner: next()
  std::atomic<uint64_t> read_{0};     // release, partner: has_room()
  std::atomic<uint64_t> lost_{0}, count_{0};
};

}  // namespace walkabout::agent
