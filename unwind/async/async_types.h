// Which class a MethodTable pointer is of. Whoever writes holds a lock of the caller's; any thread reads:
// lock-free, async-signal-safe. What find() returned stays as it is until the next but one renew().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/table_place.h"
#include "unwind/async/async_type.h"

namespace walkabout::unwind {

class AsyncTypes {
 public:
  struct Slot {
    std::atomic<uint64_t> method_table{0};  // 0: free, 1: forgotten; release, partner: find()
    AsyncType type;
  };

  // A power of two of slots, all zeroes, that outlive this. other: as many, for renew(); none: nothing is
  // ever forgotten.
  explicit AsyncTypes(std::span<Slot> slots, std::span<Slot> other = {}) : tables_{slots, other} {}

  const AsyncType* find(uint64_t method_table) const {
    if (!is_pointer(method_table)) return nullptr;
    const std::span<Slot> slots = tables_[current_.load(std::memory_order_acquire)];  // partner: renew()
    for (size_t i = place(method_table);; i = (i + 1) & (slots.size() - 1)) {
      const uint64_t key = slots[i].method_table.load(std::memory_order_acquire);  // partner: put()
      if (key == method_table) return &slots[i].type;
      if (key == kFree) return nullptr;
    }
  }

  // The table is in memory when this returns: nothing waits for its pages then.
  void touch() const {
    constexpr size_t kPage = 4096 / sizeof(Slot);
    const std::span<Slot> slots = tables_[current_.load(std::memory_order_acquire)];
    for (size_t i = 0; i < slots.size(); i += kPage)
      static_cast<void>(slots[i].method_table.load(std::memory_order_relaxed));
  }

  // False where there is no room, and where it is there already.
  bool add(uint64_t method_table, const AsyncType& type) {
    if (!is_pointer(method_table) || used_ >= tables_[0].size() / 2 || find(method_table) != nullptr)
      return false;
    put(tables_[current_.load(std::memory_order_relaxed)], method_table, type);
    ++used_;
    return true;
  }

  // Another class may come at its address.
  void forget(uint64_t method_table) {
    if (!is_pointer(method_table)) return;
    const std::span<Slot> slots = tables_[current_.load(std::memory_order_relaxed)];
    for (size_t i = place(method_table);; i = (i + 1) & (slots.size() - 1)) {
      const uint64_t key = slots[i].method_table.load(std::memory_order_relaxed);
      if (key == kFree) return;
      if (key != method_table) continue;
      slots[i].method_table.store(kForgotten, std::memory_order_relaxed);
      ++forgotten_;
      return;
    }
  }
  // So many places are taken by what was forgotten that renew() is worth its time.
  bool is_crowded() const { return forgotten_ >= tables_[1].size() / 16 && forgotten_ != 0; }
  // From now on searches go through a table without what was forgotten. REQUIRES: since the last renew()
  // there was a moment at which nobody was reading.
  void renew() {
    const uint32_t next = 1 - current_.load(std::memory_order_relaxed);
    for (Slot& slot : tables_[next]) slot.method_table.store(kFree, std::memory_order_relaxed);
    for (const Slot& slot : tables_[1 - next]) {
      const uint64_t key = slot.method_table.load(std::memory_order_relaxed);
      if (is_pointer(key)) put(tables_[next], key, slot.type);
    }
    used_ -= forgotten_;
    forgotten_ = 0;
    current_.store(next, std::memory_order_release);  // partner: find()
  }

 private:
  static constexpr uint64_t kFree = 0, kForgotten = 1;

  static bool is_pointer(uint64_t method_table) { return method_table > kForgotten; }
  size_t place(uint64_t method_table) const { return base::table_place(method_table, tables_[0].size()); }
  void put(std::span<Slot> slots, uint64_t method_table, const AsyncType& type) const {
    size_t i = place(method_table);
    while (slots[i].method_table.load(std::memory_order_relaxed) != kFree) i = (i + 1) & (slots.size() - 1);
    slots[i].type = type;
    slots[i].method_table.store(method_table, std::memory_order_release);
  }

  const std::span<Slot> tables_[2];
  std::atomic<uint32_t> current_{0};
  size_t used_ = 0, forgotten_ = 0;  // of the current table; forgotten ones are used
};

}  // namespace walkabout::unwind
