// Which class a MethodTable pointer is of. One thread adds (the spooler), any reads: lock-free,
// async-signal-safe. What was added stays: only classes that are never unloaded may be added.
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
    std::atomic<uint64_t> method_table{0};  // 0: free; release, partner: find()
    AsyncType type;
  };

  // A power of two of slots, all zeroes, that outlive this.
  explicit AsyncTypes(std::span<Slot> slots) : slots_(slots) {}

  const AsyncType* find(uint64_t method_table) const {
    if (method_table == 0) return nullptr;
    for (size_t i = place(method_table);; i = (i + 1) & (slots_.size() - 1)) {
      const uint64_t key = slots_[i].method_table.load(std::memory_order_acquire);  // partner: add()
      if (key == method_table) return &slots_[i].type;
      if (key == 0) return nullptr;
    }
  }

  // The table is in memory when this returns: nothing waits for its pages then.
  void touch() const {
    constexpr size_t kPage = 4096 / sizeof(Slot);
    for (size_t i = 0; i < slots_.size(); i += kPage)
      static_cast<void>(slots_[i].method_table.load(std::memory_order_relaxed));
  }

  // False where there is no room, and where it is there already.
  bool add(uint64_t method_table, const AsyncType& type) {
    if (method_table == 0 || used_ >= slots_.size() / 2) return false;
    size_t i = place(method_table);
    while (slots_[i].method_table.load(std::memory_order_relaxed) != 0) {
      if (slots_[i].method_table.load(std::memory_order_relaxed) == method_table) return false;
      i = (i + 1) & (slots_.size() - 1);
    }
    slots_[i].type = type;
    slots_[i].method_table.store(method_table, std::memory_order_release);
    ++used_;
    return true;
  }

 private:
  size_t place(uint64_t method_table) const { return base::table_place(method_table, slots_.size()); }

  std::span<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace walkabout::unwind
